package tape

const (
	ofInformer = "informer/testdata/"
	ofPage     = "docs/tools/tape/scenes/"
)

// Lessons are the scenes, in the order of their tabs. The first sentence of each says how things
// stand, the others what has happened. A sentence stands in one lesson only.
var Lessons = []Lesson{
	{Name: "first-list", Title: "first list", Story: ofInformer + "01_first_list_and_sync.story",
		Beats: []Beat{
			{At: "greeter joins, 0 objects to tell", Says: "Two objects, db-1 and web-1, are on the " +
				"server. An informer with one handler, greeter, is about to start. Its cache is empty."},
			{At: `GET list, version "0"`, Says: "The informer begins with a list: one request for " +
				"all objects. Version 0 says that any state will do, however old."},
			{At: "2 objects, version 3", Says: "The answer has both objects, and one version: 3. The " +
				"list is the state at version 3. Later changes are for the watch."},
			{At: "web-1: Replaced web-1@2", Says: "Each is queued under its key, as Replaced: the " +
				"queue does not know whether it is new, changed or the same."},
			{At: "opening watch: opened → watching", Says: "A watch is opened from version 3 on. Every " +
				"later change will come on it without another request."},
			{At: "pop db-1: Replaced db-1@3", Says: "The process loop takes db-1 out of the queue, with " +
				"everything that waits under its key."},
			{At: "cache + db-1@3", Says: "db-1 is in the cache, and a program that reads there finds " +
				"it. No handler has been called yet."},
			{At: "the informer has synced", Says: "web-1 has gone the same way. Now the informer's " +
				"HasSynced is true: the cache has the whole list. Calls of handlers do not count."},
			{At: "added db-1@3, in the initial list", Says: "greeter is called with db-1. The call says " +
				"that this add belongs to the initial list."},
			{At: "greeter has synced", Says: "greeter has had both calls, so it has synced, too: each " +
				"handler syncs by itself, and always later than the cache."},
		},
		Question: "A controller waits until its informer has synced. What has greeter been told by then?",
		Answers: []Answer{
			{"Both objects: the informer waits for its handlers.", "Then one slow handler would hold up " +
				"the whole program. Each handler has a HasSynced of its own."},
			{"At least the first object.", "The calls wait for greeter, and the informer does not."},
			{"Perhaps nothing: only the cache counts.", ""},
			{"Nothing: handlers are called for later changes only.",
				"Each object of the first list is an add. The calls are still to come."}},
		Proof: "the informer has synced"},

	{Name: "update", Title: "an update",
		Story: ofInformer + "02_update_and_delete_over_the_watch.story",
		Beats: []Beat{
			{At: "greeter has synced", Says: "web-1 is in the cache, and a watch is open. What led here " +
				"was a first list, as in lesson 1."},
			{At: "MODIFIED web-1, version 3", Says: "A client changes web-1. The server stores it as " +
				"version 3. The cache still has version 2."},
			{At: "MODIFIED web-1@3", Says: "The server sends a frame, one message on the open watch, " +
				"with the whole object in it. The reflector has asked for nothing."},
			{At: "web-1: Updated web-1@3", Says: "The reflector hands it to the queue: one delta (a " +
				"change that waits in the queue) of the type Updated, under the key web-1."},
			{At: "cache ~ web-1@3", Says: "The process loop pops the key. First it writes to the cache."},
			{At: "updated web-1@3 from version 2", Says: "Then OnUpdate is called, with both states. Old " +
				"version 2 is what the cache had until now."},
			{At: "cache + web-2@4", Says: "web-2 is created and goes the same way: a frame, a delta, a " +
				"pop, and the cache has it."},
			{At: "added web-2@4", Says: "OnAdd is called with web-2. This add is not part of the initial " +
				"list."},
			{At: "web-1: Deleted web-1@5", Says: "web-1 is deleted. The deletion has a version of its " +
				"own, 5, and its frame brings the last state along."},
			{At: "cache - web-1@3", Says: "web-1 leaves the cache before the handler is called."},
			{At: "deleted web-1@5", Says: "OnDelete is called with that last state. A handler that looks " +
				"for web-1 in the cache no longer finds it."},
		},
		Question: "What does the server send on the open watch?",
		Answers: []Answer{
			{"The whole object, as it is now.", ""},
			{"Its name and version, so that the informer gets the rest.",
				"Then each change would cost a request. An informer never gets a single object."},
			{"The fields that have changed.",
				"A frame is no patch: its object replaces the one that the cache has."},
			{"Nothing: the informer finds the change in its next list.",
				"A list is for the start, and for changes that no watch can bring any more."}},
		Proof: "MODIFIED web-1@3"},

	{Name: "slow-handler", Title: "a slow handler",
		Story: ofInformer + "04_a_slow_handler_delays_no_other.story",
		Beats: []Beat{
			{At: "opening watch: opened → watching", Says: "The cache is empty, and the watch is open. " +
				"There are two handlers: fast returns at once, slow takes a minute for each call."},
			{At: "cache + web-1@2", Says: "web-1 is created and reaches the cache."},
			{At: "tells add web-1@2", Says: "The processor hands the add to both listeners: there is one " +
				"for each handler."},
			{At: "handler:slow added web-1@2", Says: "fast has returned. slow is in its " +
				"call for web-1. Now web-2 and web-3 will be created."},
			{At: "slow: 2 wait", Says: "Both are in the cache: only two adds for slow wait for it. They " +
				"are in the ring of its listener."},
			{At: "handler:fast has returned from OnAdd web-3@4", Says: "fast has had all three calls."},
			{At: "handler:slow added web-2@3", Says: "A minute later slow returns, and is called with " +
				"web-2. One add is left in its ring."},
			{At: "handler:slow added web-3@4", Says: "After another minute slow has had the same calls " +
				"in the same order. The price is memory: a ring grows while its handler is behind."},
		},
		Question: "What has to wait for slow?",
		Answers: []Answer{
			{"The cache: it takes an object when all handlers are done with the last.",
				"The cache is written first, and no handler can hold it up."},
			{"The other handler: handlers are called in turn.",
				"Each handler has a ring and a goroutine of its own."},
			{"The watch: the reflector reads on when the queue is empty.",
				"The reflector reads whatever comes. The queue takes it without limit."},
			{"Only the next calls of slow.", ""}},
		Proof: "slow: 2 wait"},

	{Name: "late-handler", Title: "a late handler",
		Story: ofInformer + "03_a_late_handler_gets_what_the_cache_holds.story",
		Beats: []Beat{
			{At: "tells update web-1@3", Says: "This informer runs without a handler. web-1 was created " +
				"at version 2, has changed once, and is in the cache at version 3."},
			{At: "late joins, 1 object to tell", Says: "A handler joins: its name is late. The cache " +
				"holds one object that late has not been told of."},
			{At: "added web-1@3, in the initial list", Says: "OnAdd is called with web-1 as it is now, " +
				"from the cache. The server has got no request for it."},
			{At: "late has synced", Says: "That was a first list for this handler alone: it has synced."},
			{At: "added web-2@4", Says: "web-2 is created, and late is called like any other handler."},
			{At: "cache - web-1@3", Says: "web-1 is deleted on the server, and leaves the cache."},
			{At: "deleted web-1@5", Says: "A handler that has had the add of an object gets its delete, too."},
		},
		Question: "What is the new handler called with first?",
		Answers: []Answer{
			{"An add of web-1 at version 2, then an update to version 3.",
				"The cache keeps one state of each object, so version 2 is gone."},
			{"An add of web-1 at version 3.", ""},
			{"An update of web-1, from version 2 to version 3.",
				"An update needs an old state that the handler knows. This one knows none."},
			{"Nothing, until web-1 changes again.",
				"Then it would never hear of objects that do not change."}},
		Proof: "added web-1@3, in the initial list"},

	{Name: "lost-deletion", Title: "a lost deletion",
		Story: ofInformer + "07_compaction_relists_and_finds_the_deletion.story",
		Beats: []Beat{
			{At: "greeter has synced", Says: "web-1 and web-2 are in the cache, in the same state as on " +
				"the server, which is at version 3."},
			{At: "stream broken: unexpected EOF", Says: "The connection breaks, and the server refuses " +
				"new ones. From now on the informer hears nothing."},
			{At: "back off for 800ms", Says: "The reflector tries to watch again from version 3, is " +
				"refused, and waits 0.8 seconds before the next attempt."},
			{At: "DELETED web-2, version 4", Says: "web-2 is deleted on the server: version 4."},
			{At: "the server forgets its history", Says: "web-1 changes as well: version 5. Then the " +
				"server forgets its history. No watch can bring versions 4 and 5 now."},
			{At: "ERROR 410", Says: "Connections are accepted again. The watch from version 3 brings no " +
				"change, only an error: 410, that version is too old."},
			{At: "1 object, version 5", Says: "So the reflector lists, after a pause of 1.6 seconds. The " +
				"list has web-1 only. It does not say that anything was deleted."},
			{At: "web-1: Replaced web-1@5", Says: "web-1 is in the list, so it is queued as Replaced."},
			{At: "web-2: Deleted tombstone of web-2@3", Says: "web-2 is in the cache and not in the list: " +
				"so it was deleted. The queue makes a tombstone, with the last state that the cache has."},
			{At: "cache ~ web-1@5", Says: "The process loop pops web-1, and the cache has version 5."},
			{At: "cache - web-2@3", Says: "It pops web-2, which leaves the cache."},
			{At: "deleted tombstone of web-2@3", Says: "OnDelete is called with the tombstone. Its key is " +
				"certain, its state may be old: version 3, although web-2 was deleted at version 4."},
		},
		Question: "web-2 is not in the list. What is queued for it?",
		Answers: []Answer{
			{"Nothing: the list does not name it.", "Then web-2 would stay in the cache for good."},
			{"The deletion that the server sends after its list.",
				"The server has forgotten the deletion. It sends only what comes after version 5."},
			{"A deletion that the queue makes itself, with the last state it knows.", ""},
			{"A Sync of web-2, so that the process loop asks the server.",
				"The process loop sends no requests: only the reflector talks with the server."}},
		Proof: "web-2: Deleted tombstone of web-2@3"},

	{Name: "broken-frame", Title: "a broken frame", Story: ofPage + "a_frame_breaks_off.story",
		Beats: []Beat{
			{At: "the server fails: cut", Says: "web-1 is in the cache at version 2, and the reflector " +
				"watches. The next frame will break off in the middle."},
			{At: "MODIFIED web-1, version 3", Says: "web-1 changes: the server is at version 3."},
			{At: "part of a frame", Says: "Half a frame comes on the wire, then the stream ends. Half a " +
				"frame must not become an event."},
			{At: "watching: ended → opening watch (unexpected EOF)", Says: "For the reflector the watch " +
				"has ended, as watches do."},
			{At: "MODIFIED web-1@3", Says: "It has opened a watch from version 2 on, the last that it has " +
				"seen, without a list. The server sends version 3 once more, whole."},
			{At: "cache ~ web-1@3", Says: "From here on it is an update like any other."},
			{At: "updated web-1@3 from version 2", Says: "greeter is called once: it sees no second frame."},
		},
		Question: "What becomes of the change that was in the broken frame?",
		Answers: []Answer{
			{"It is lost until the next resync.",
				"A resync only repeats what the cache has, so it could not bring version 3."},
			{"The next watch brings it: it starts from version 2, before the change.", ""},
			{"A list brings it: a watch cannot repeat a frame.",
				"A watch can begin at every version that the server remembers."},
			{"The half that came is applied, and the rest follows.",
				"Half a frame is no complete JSON, so there is nothing to apply."}},
		Proof: "MODIFIED web-1@3"},

	{Name: "resync", Title: "a resync", Story: ofInformer + "11_a_resync_sends_no_request.story",
		Beats: []Beat{
			{At: "the server has got 2 requests", Says: "Every 30 seconds this informer resyncs: it goes " +
				"through its cache again, for handlers that want it. greeter wants it, calm does not. " +
				"So far the server has had two requests."},
			{At: "web-1: Sync web-1@2", Says: "30 seconds later a resync is due. The queue gets a delta " +
				"of type Sync for each object that the cache holds."},
			{At: "updated web-1@2 from version 2", Says: "greeter gets an update from version 2 to " +
				"version 2. calm is not called."},
			{At: "the server has got 2 requests", Says: "Still two requests: a resync does not ask the " +
				"server. It lets a handler look again at objects that it may have failed at."},
			{At: "MODIFIED web-1, version 3", Says: "Then web-1 really changes."},
			{At: "handler:calm has returned from OnUpdate web-1@3", Says: "Both handlers have been " +
				"called, calm as well: from version 2 to version 3."},
		},
		Question: "What does the resync tell greeter?",
		Answers: []Answer{
			{"What has changed on the server since the last resync.",
				"A resync sends no request, so it can find no change."},
			{"Nothing: the cache and the server agree.", "A resync compares nothing with the server."},
			{"What the cache holds, as adds.",
				"greeter knows web-1 already, and an add would say that it is new."},
			{"What the cache holds, as updates that change nothing.", ""}},
		Proof: "updated web-1@2 from version 2"},

	{Name: "panic", Title: "a panic", Story: ofInformer + "12_a_handler_panics.story",
		Beats: []Beat{
			{At: "the informer has synced", Says: "db-1 and web-1 are in the cache. There are two " +
				"handlers, and shaky will panic when it is called with db-1."},
			{At: "handler:shaky added db-1@2, in the initial list", Says: "shaky is called with db-1."},
			{At: "panics: no db-1", Says: "It panics. By default that ends the program, as with " +
				"client-go. This informer has OnPanic, a func that gets the panic instead."},
			{At: "wait 1s", Says: "greeter has had both calls. shaky pauses for a second."},
			{At: "shaky has synced", Says: "A second later shaky was called with web-1, and has synced: " +
				"the call that panicked counts as made, and is not repeated."},
		},
		Question: "What becomes of the call that has panicked?",
		Answers: []Answer{
			{"It counts as made, and the handler goes on with the next object.", ""},
			{"It is repeated until it succeeds.",
				"Then one bad object would keep this handler from all others."},
			{"It goes back into the queue, to be made later.",
				"The queue knows no handlers. All that shaky has is its own ring."},
			{"The handler is removed, and the others go on.",
				"Then one bad object would end the handling of all objects."}},
		Proof: "shaky has synced"},

	{Name: "stop-and-start", Title: "stop and start", Story: ofPage + "stop_and_start.story",
		Beats: []Beat{
			{At: "greeter has synced", Says: "greeter has been told of db-1 and web-1, and both are in " +
				"the cache. Now the informer will be stopped."},
			{At: "watching: stop → stopped", Says: "The informer stops in the order in which events pass " +
				"through it. The reflector is the first: it closes its watch."},
			{At: "has ended", Says: "Then the process loop ends, and then the handler. Now Run returns."},
			{At: "DELETED db-1, version 4", Says: "db-1 is deleted while no informer runs."},
			{At: "greeter joins, 0 objects to tell", Says: "An informer runs only once. So this is a new " +
				"one, with an empty cache. The same handler joins it."},
			{At: "1 object, version 4", Says: "It lists: there is only web-1."},
			{At: "replaced at version 4: 1 object, 0 deletions", Says: "The queue compares the list with the " +
				"cache, which is empty: one object, no deletions. No event will name db-1."},
			{At: "added web-1@2, in the initial list", Says: "greeter is called with web-1, as an add, " +
				"although it has had it before."},
			{At: "greeter has synced", Says: "So a handler that keeps a state of its own must drop it for " +
				"each new informer. Otherwise it would keep db-1."},
		},
		Question: "What will the second informer tell greeter of db-1?",
		Answers: []Answer{
			{"That it was deleted, by a tombstone.",
				"A tombstone is made from what is in the cache. This cache never had db-1."},
			{"That it was deleted, as soon as the watch is open.",
				"The watch begins after version 4, and the deletion is version 4."},
			{"Nothing at all.", ""},
			{"That it was added, and then deleted.",
				"db-1 is not in the list, so nothing can add it."}},
		Proof: "replaced at version 4: 1 object, 0 deletions"},

	{Name: "ordered-queue", Title: "the ordered queue", Queue: RealFIFO,
		Story: ofPage + "an_ordered_queue.story",
		Beats: []Beat{
			{At: "V2 is held", Says: "This informer has another queue, RealFIFO. Valve V2 holds the process " +
				"loop, so that events stay in the queue."},
			{At: "Updated web-1@4", Says: "web-1 changes. Its event is queued."},
			{At: "Updated db-1@5", Says: "db-1 changes. Its event is queued behind that of web-1."},
			{At: "Updated web-1@6", Says: "web-1 changes again. Now three events wait, and V2 will open."},
			{At: "pop Updated web-1@4, Updated db-1@5", Says: "The process loop pops a batch in which each " +
				"object occurs once. The rest stays for the next."},
			{At: "updated web-1@6 from version 4", Says: "greeter has been called for web-1, for db-1, and " +
				"for web-1 again: in the order of the changes. A DeltaFIFO would have brought db-1 last."},
		},
		Question: "What does the process loop pop first?",
		Answers: []Answer{
			{"web-1 at version 4.", "Events of different objects may be popped together, and that is faster."},
			{"web-1 at version 4, and db-1.", ""},
			{"web-1 at versions 4 and 6.",
				"So does a DeltaFIFO: it pops a key with all its deltas. Here each event keeps its place."},
			{"All three events.",
				"Then no reader of the cache could ever see version 4 of web-1."}},
		Proof: "pop Updated web-1@4, Updated db-1@5"},
}
