package tape

// Button is something that can be pressed, and what to expect then. do.go carries it out.
type Button struct {
	Do       string `json:"do"`
	Place    string `json:"place"` // below which it stands
	Label    string `json:"label"`
	Fault    bool   `json:"fault"`
	NeedsKey bool   `json:"needsKey"`
	Expect   string `json:"expect"`
}

// writes reports whether it writes to the fake server or its faults: a real cluster has no such
// button.
func (b Button) writes() bool { return b.Place == API || b.Place == Wire }

// buttons are all of them.
var buttons = []Button{
	{
		Do: "create", Place: API, Label: "create",
		Expect: "The server sends one frame on the open watch. The reflector sends no request.",
	},
	{
		Do: "update", Place: API, Label: "update", NeedsKey: true,
		Expect: "The queue gets one delta more. The handlers get the old and the new object.",
	},
	{
		Do: "delete", Place: API, Label: "delete", NeedsKey: true,
		Expect: "The frame brings the last state. The cache drops it, then the handlers are " +
			"called.",
	},
	{
		Do: "fill", Place: API, Label: "fill 100",
		Expect: "A hundred frames. While the process loop is busy they wait in the queue, one " +
			"key each, and the handlers get them in batches.",
	},
	{
		Do: "drop", Place: Wire, Label: "drop", Fault: true,
		Expect: "The watch ends, and the next one begins after the last version. There is no " +
			"list.",
	},
	{
		Do: "hang", Place: Wire, Label: "hang", Fault: true,
		Expect: "From the next frame on the server is silent and the stream stays open. The " +
			"reflector gives it up after two minutes without a frame, and watches again.",
	},
	{
		Do: "cut", Place: Wire, Label: "cut frame", Fault: true,
		Expect: "The next frame breaks off in its middle. Half a frame must not become an " +
			"event: the reflector watches again from the version before, and gets the whole " +
			"one.",
	},
	{
		Do: "disconnect", Place: Wire, Label: "disconnect", Fault: true,
		Expect: "The connection breaks, and new ones are refused until heal. The reflector " +
			"tries again, with longer and longer pauses. The cache stays as it is.",
	},
	{
		Do: "compact", Place: API, Label: "forget history", Fault: true,
		Expect: "The server forgets its history. An open watch goes on. A watch from an older " +
			"version gets 410 and leads to a list: disconnect, change something, forget " +
			"history, heal.",
	},
	{
		Do: "errors", Place: API, Label: "answer 500", Fault: true,
		Expect: "The watch ends and every request is answered with 500 until heal. Each failure " +
			"doubles the pause, up to half a minute.",
	},
	{
		Do: "heal", Place: API, Label: "heal",
		Expect: "No fault is armed any more. The next attempt succeeds.",
	},
	{
		Do: "lose", Place: API, Label: "lose answer", Fault: true,
		Expect: "The server stores an object, and its answer is lost: the client that wrote " +
			"cannot know. The informer hears of it from the watch.",
	},
	{
		Do: "resync", Place: Reflector, Label: "resync",
		Expect: "The queue gets a Sync delta for each object of the cache that has none " +
			"pending. The handlers get updates that change nothing. The server gets no " +
			"request.",
	},
	{
		Do: "stop", Place: Reflector, Label: "stop",
		Expect: "The watch is closed, then the process loop ends, then the handlers. No call is " +
			"interrupted, and what waits behind it is dropped.",
	},
	{
		Do: "start", Place: Reflector, Label: "start",
		Expect: "A new informer with an empty cache: it lists, then watches. An informer runs " +
			"once.",
	},
	{
		Do: "queue", Place: Queue, Label: "queue",
		Expect: "A new informer with the other queue. A DeltaFIFO gathers what happens to one " +
			"key; a RealFIFO keeps the order of all events.",
	},
	{
		Do: "add-handler", Place: Processor, Label: "add handler",
		Expect: "The new handler is called with all objects of the cache, as adds. No request " +
			"is sent.",
	},
	{
		Do: "remove-handler", Place: Processor, Label: "remove",
		Expect: "Its present call ends, and what waits for it is dropped. No other is affected.",
	},
	{
		Do: "panic", Place: "handlers", Label: "panic", Fault: true,
		Expect: "The handler panics in its next call, rests for a second and goes on with the " +
			"next object. The other handlers are not affected.",
	},
}

// buttonsFor returns the buttons that there are.
func buttonsFor(readOnly bool) (usable []Button) {
	for _, b := range buttons {
		if !readOnly || !b.writes() {
			usable = append(usable, b)
		}
	}
	return usable
}
