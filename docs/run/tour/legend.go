package main

import (
	"strings"

	"example.com/watchglass/docs/tools/lanes"
)

// The stages, from left to right.
const (
	apiServer = iota
	reflecting
	queueing
	indexing
	processing
	handling
)

// stages are the columns: those of the pipe and its two ends. Requests go between the API server
// and the reflector; handlers join and leave between the last two.
var stages = lanes.Lanes{
	Names: []string{"api server", "reflector", "deltafifo", "indexer", "processor", "handler"},
	Talks: []bool{true, false, false, false, true},
}

// The widths of the lanes in the widest picture and in the narrowest. In the narrow one many cells
// take two lines. Its lanes do not shrink in proportion: each keeps room for its longest word.
var (
	wideLanes   = []int{15, 14, 17, 12, 13, 18}
	narrowLanes = []int{12, 12, 13, 9, 10, 13}
)

// Pictures are as wide as the lanes and what is between them. Longer lines would be hard to read.
const (
	mostColumns   = 100
	fewestColumns = 80
)

// entry explains the cells of one lane that contain a text.
type entry struct {
	lane int
	text string
	says string
}

// legend explains every kind of cell. The first entry whose text a cell contains is for that cell.
var legend = []entry{
	{apiServer, "GET list @0", "A request for all objects. @0: any state will do, however old."},
	{apiServer, "GET list", "A request for all objects, in a state that is not older than this."},
	{apiServer, "GET watch", "A request for all changes after this version, as they happen."},
	{apiServer, "ADDED", "The object is stored, and this is its version."},
	{apiServer, "MODIFIED", "The object has a new state, and this is its version."},
	{apiServer, "DELETED", "The object is deleted. A deletion has a version, too."},
	{apiServer, "sends ERROR", "An error, 410 Gone: changes after that version are forgotten. " +
		"Status 200 is already sent, so only an event can say it."},
	{apiServer, "sends", "One event was sent on the open watch, in a frame of its own."},
	{apiServer, "watch ended: dropped", "The server ends the watch."},
	{apiServer, "watch ended: expired", "The server ends the watch after this frame."},
	{apiServer, "history gone", "The server no longer knows any past change (compaction)."},
	{apiServer, "watch ended: client", "The other side has closed the watch."},

	{reflecting, "list @", "The reflector asks for a list, in a state not older than this."},
	{reflecting, "objects @", "The list has come, with the version of the whole list. The queue " +
		"gets it."},
	{reflecting, "watch @", "The reflector asks for the changes after this version."},
	{reflecting, "watch opened", "The server has answered 200. Events may follow."},
	{reflecting, "end of watch", "Nothing more will come on this watch."},
	{reflecting, "→", "The outcome, then the next state: the version has expired, so list."},
	{reflecting, "back off", "A pause, so that a server in trouble is not asked again and again."},
	{reflecting, "stopped", "The reflector will ask for nothing more."},
	{reflecting, "@", "The event was read. The queue gets it."},

	{queueing, "pop", "The process loop takes this key out, with all that is noted for it."},
	{queueing, "synced", "All objects of the first list have left the queue."},
	{queueing, "Replaced", "Noted for this key: a list contains the object, at this version."},
	{queueing, "Added", "Noted for this key: the object was created."},
	{queueing, "Updated", "Noted for this key: the object has a new version."},
	{queueing, "Deleted tombstone", "Noted for this key: deleted, at an unknown version. The " +
		"tombstone holds the last state that the cache has."},
	{queueing, "Deleted", "Noted for this key: the object was deleted."},

	{indexing, "+", "The object is in the cache now."},
	{indexing, "~", "The new object is in the cache, and the old one is not."},
	{indexing, "-", "The object is not in the cache any more."},

	{processing, "due", "An update in which old and new have the same version: nothing changed."},
	{processing, "add", "Each handler's own queue gets an add."},
	{processing, "update", "Each handler's own queue gets an update, with both objects."},
	{processing, "delete", "Each handler's own queue gets a delete."},
	{processing, "joins", "The handler's own queue begins with an add for each object in the cache."},
	{processing, "wait", "The number of notifications that wait in the queue of this handler."},
	{processing, "removed", "Nothing more is put into the queue of this handler."},

	{handling, "tombstone", "OnDelete gets a DeletedFinalStateUnknown, not a service."},
	{handling, "added", "OnAdd of the handler of this name is called."},
	{handling, "updated", "OnUpdate is called, with the old and the new object."},
	{handling, "deleted", "OnDelete is called, with the last state of the object."},
	{handling, "ended", "The last call of this handler has returned."},
}

// explanation returns the entry for a cell, or nil.
func explanation(c lanes.Cell) *entry {
	for i, e := range legend {
		if e.lane == c.Lane && strings.Contains(c.Text, e.text) {
			return &legend[i]
		}
	}
	return nil
}
