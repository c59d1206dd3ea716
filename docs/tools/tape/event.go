package tape

import (
	"strings"

	"example.com/watchglass/deltafifo"
	"example.com/watchglass/reflector"
)

// What the page is given. An Event says what one stage reported, and how the whole machine stood
// after it: the state of event 40 alone gives the picture of event 40. Nothing in here is changed
// after it was made, so events share the parts of the state that stayed the same.

// Event is one thing that happened, with the state after it.
type Event struct {
	Lane  string `json:"lane"` // where it happened: one goroutine, or one lock
	Kind  string `json:"kind"`
	Key   string `json:"key"` // of the object that it is about, or ""
	Text  string `json:"text"`
	Brief string `json:"brief"` // Text where the column says the rest
	Means string `json:"means"` // the key of its entry in the legend, if there is one
	Fault bool   `json:"fault"`

	Seq   int64  `json:"seq"` // 1, 2, 3 …: the order of everything, and the page's resourceVersion
	At    int64  `json:"at"`  // milliseconds since the start
	Call         // the line that acted; no file: no stage has reported it
	From  string `json:"from"` // the places between which something moved, or ""
	To    string `json:"to"`
	State State  `json:"state"`

	// Report is file:line of the call of a trace that reported the event. It is "" if the line that
	// acted is where it was reported.
	Report  string `json:"report"`
	Callers []Call `json:"callers"` // that led to the function, the innermost first

	// Object is the JSON of the object that the event is about, "" if the stage has not shown it. It
	// is text, so that a tape can leave out a field of it.
	Object string `json:"object"`
}

// Where is the lane that an event is about: what is done to the server is shown where the server
// is.
func (e *Event) Where() string {
	lane, _, _ := strings.Cut(e.Lane, ":")
	if e.To == API && (lane == laneStory || lane == laneYou) {
		return API
	}
	return lane
}

// ways are the places between which something moves, by lane and kind of an event.
var ways = map[string][2]string{
	"api request":     {Reflector, API},
	"api sent":        {API, Wire},
	"wire frame":      {Wire, Wire}, // through valve V1
	"reflector list":  {Reflector, API},
	"reflector watch": {Reflector, API},
	"reflector event": {Wire, Reflector},
	"process pop":     {Queue, Process},
	"cache add":       {Process, Cache},
	"cache update":    {Process, Cache},
	"cache delete":    {Cache, Process}, // its last state goes on as a deletion
	"cache replace":   {Process, Cache},
}

// State is the whole machine after an event.
type State struct {
	Server    *ServerState    `json:"server"`
	Wire      *WireState      `json:"wire"`
	Reflector *ReflectorState `json:"reflector"`
	Queue     *QueueState     `json:"queue"`
	Cache     *CacheState     `json:"cache"`
	Listeners []ListenerState `json:"listeners"`
	Handlers  []HandlerState  `json:"handlers"`
	Valves    []ValveState    `json:"valves"`
	Informer  string          `json:"informer"` // running, stopping, ended; "": not started
	Recent    []string        `json:"recent"`   // keys touched last, newest first, at most maxRecent
}

// ObjectState is one object, where it is stored.
type ObjectState struct {
	Key string `json:"key"`
	RV  string `json:"rv"`
}

// Mark is one object on its way, which the page draws as one mark wherever it is.
type Mark struct {
	Key       string `json:"key,omitempty"` // "": of no object, or said by what it is in
	Type      string `json:"type"`          // of a frame, a delta or a notification
	RV        string `json:"rv"`
	Tombstone bool   `json:"tombstone,omitempty"`
	N         int    `json:"n,omitempty"` // of a whole list: how many objects
}

// ServerState is what fakeapi has reported. Of a real cluster it is empty.
type ServerState struct {
	RV       uint64        `json:"rv"`
	Floor    uint64        `json:"floor"` // the oldest version from which a watch can begin
	Total    int           `json:"total"`
	Objects  []ObjectState `json:"objects"` // those of the maxRows touched last that are there, by key
	Log      []LogEntry    `json:"log"`     // the history that is left, at most maxLog, oldest first
	Watchers int           `json:"watchers"`
	Fault    string        `json:"fault"` // what is armed, or ""
}

// LogEntry is one event of the server's history.
type LogEntry struct {
	RV   uint64 `json:"rv"`
	Type string `json:"type"`
	Key  string `json:"key"`
}

// WireState is the watch as it is seen where valve V1 stands.
type WireState struct {
	Open   bool   `json:"open"`
	From   string `json:"from"`   // the version that was asked for
	Silent bool   `json:"silent"` // the server has gone silent, and the stream is open
	Frames int    `json:"frames"` // that have passed, of this watch
	Last   string `json:"last"`   // the last one of them
	Held   int    `json:"held"`   // sent and not passed
	Before []Mark `json:"before"` // those of them that come next, at most maxRows, oldest first
	Behind []Mark `json:"behind"` // passed, or a list, and not read: at most maxRows, oldest first
}

// ReflectorState is where the reflector's machine is.
type ReflectorState struct {
	State   string `json:"state"`
	Last    *Step  `json:"last"`    // the transition that led to it, nil: none yet
	Version string `json:"version"` // up to which everything was given to the queue
	PauseMs int64  `json:"pauseMs"` // how long the pause lasts that has just begun; 0: none
	Lists   int    `json:"lists"`
	Watches int    `json:"watches"`
	Hand    *Mark  `json:"hand"` // read, and not queued yet; nil: nothing
}

// Step is one row of the reflector's table, in
type Step struct {
	From string `json:"from"`
	On   string `json:"on"`
	Do   string `json:"do"`
	To   string `json:"to"`
}

func step(t reflector.Transition) Step {
	return Step{t.From.String(), t.On.String(), t.Do.String(), t.To.String()}
}

// QueueState is what waits between reflector and process loop.
type QueueState struct {
	Kind      string     `json:"kind"` // DeltaFIFO or RealFIFO
	Total     int        `json:"total"`
	Rows      []QueueRow `json:"rows"` // in the order in which they will be popped, at most maxRows
	Populated bool       `json:"populated"`
	Initial   int        `json:"initial"` // how much of the first list is not processed yet
	Synced    bool       `json:"synced"`
	Popped    []QueueRow `json:"popped"` // in the hand of the process loop: not told yet
}

// QueueRow is a key with its deltas, or one delta of a RealFIFO.
type QueueRow struct {
	Key     string `json:"key"`
	Deltas  []Mark `json:"deltas"`            // at most maxDeltas, the newest, oldest first
	Earlier int    `json:"earlier,omitempty"` // how many are before them
}

// CacheState is the content of the indexer.
type CacheState struct {
	Total   int           `json:"total"`
	Objects []ObjectState `json:"objects"` // those of the maxRows touched last that are there, by key
	Indices []IndexState  `json:"indices"`
	Synced  bool          `json:"synced"` // HasSynced of the informer
}

// IndexState is one index of the cache.
type IndexState struct {
	Name   string       `json:"name"`
	Values []IndexValue `json:"values"` // that objects have which are shown, by value
}

// IndexValue is one value with the keys of the objects that have it.
type IndexValue struct {
	Value string   `json:"value"`
	Keys  []string `json:"keys"` // of the objects that are shown, sorted
}

// ListenerState is what waits in the processor for one handler.
type ListenerState struct {
	Name    string    `json:"name"`
	Ring    RingState `json:"ring"`
	Pending int       `json:"pending"` // notifications whose call has not begun
	High    int       `json:"high"`    // the most that it ever was
	Synced  bool      `json:"synced"`
	Removed bool      `json:"removed"`
	Ended   bool      `json:"ended"`             // its last call has returned
	Dropped int       `json:"dropped,omitempty"` // notifications that waited at its end
}

// RingState is what waits for a handler, and how many slots its ring has. One batch of them is out
// of the ring already if the handler is between two calls of it.
type RingState struct {
	Cap     int    `json:"cap"`
	Waiting []Mark `json:"waiting"` // the next call first, at most maxArcs
}

// HandlerState is one handler: yours.
type HandlerState struct {
	Name string `json:"name"`
	Busy string `json:"busy"` // the call that is under way, or ""
	Hand *Mark  `json:"hand"` // what the last call that has begun is about; nil: none yet
	Told int    `json:"told"` // calls that have returned

	Panics   bool `json:"panics,omitempty"`   // a button wants it, in the next call
	Panicked bool `json:"panicked,omitempty"` // in its last call: it rests a second
}

// ValveState is one valve.
type ValveState struct {
	Name    string `json:"name"`
	Label   string `json:"label"`
	Handler string `json:"handler"` // the handler that it stands before, or ""
	Mode    string `json:"mode"`    // open, held, one or slow
	Waiting int    `json:"waiting"` // what stands before it: 0 or 1
}

// How much of a large collection is shown. The totals count all of it.
const (
	maxRows   = 100
	maxDeltas = 50
	maxLog    = 100
	maxRecent = 12
	maxArcs   = 16
)

// Meta is what does not change from event to event.
type Meta struct {
	Buttons  []Button `json:"buttons"`
	ReadOnly bool     `json:"readOnly"`
	Server   string   `json:"server"` // fakeapi, or the URL of a real one
	Queue    string   `json:"queue"`  // the kind at the start
	States   []string `json:"states"` // of the reflector's table, in the order of its constants
	Table    []Step   `json:"table"`  // where each of them leads
	Story    string   `json:"story"`  // the file of a recording

	Terms  []Term                           `json:"terms"`
	Legend map[string]string                `json:"legend"` // by what events mean
	Deltas map[string][]deltafifo.DeltaType `json:"deltas"` // that a queue can hold, by its kind
}

// Listing is the answer to GET /state: what a list is to a reflector.
type Listing struct {
	Run   string `json:"run"` // which run of the program this is: seq means nothing in another one
	Seq   int64  `json:"seq"`
	Floor int64  `json:"floor"` // the oldest event that is still held
	State State  `json:"state"`
	Meta  Meta   `json:"meta"`
}
