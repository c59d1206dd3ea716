package tape

import (
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// act is a statement of a stage that does what an event tells.
type act struct {
	in   string // the folder and the function that it is in
	text string // by which its line is found in that function
}

// acts says, for the kinds of events that traces report, what did it: a trace is called just before
// or just after. The call stack says which of the functions ran. If several of them did, the first
// one in the list is what a reader looks for: a tombstone is made where a deletion is concluded,
// not where deltas are appended. A test finds each of these lines in the source as it is now.
//
// Kinds that are not here are reported where they happen: by the request, the Read, the Pop or the
// handler's method that this program is called by.
var acts = map[string][]act{
	"api request": {{"fakeapi/Server.serveResource", "s.perform(w, req)"}},
	"api commit":  {{"fakeapi/store/Tx.commit", "s.version = e.Version()"}},
	"api sent":    {{"fakeapi/stream/writer.Send", "w.buf.Write(part)"}},
	"api ended":   {{"fakeapi/Server.watch", "Serve(req.http.Context(), w)"}},
	"api fault":   {{"fakeapi/Server.trigger", "s.faults.trigger("}},

	"reflector list":       {{"reflector/Reflector.listPage", "ListerWatcher.List("}},
	"reflector listed":     {{"reflector/Reflector.replace", "Store.Replace("}},
	"reflector watch":      {{"reflector/Reflector.open", "ListerWatcher.Watch("}},
	"reflector event":      {{"reflector/Reflector.nextEvent", "s.next()"}},
	"reflector skipped":    {{"reflector/Reflector.nextEvent", "is[*ObjectError]"}},
	"reflector went back":  {{"reflector/Reflector.events", "r.record(e.ResourceVersion)"}},
	"reflector transition": {{"reflector/Reflector.step", "next(r.table, state, on)"}},
	"reflector back off":   {{"reflector/Reflector.wait", "time.After("}},

	"queue queued": {
		{"deltafifo/DeltaFIFO.deleteKnown", "f.enqueue("},
		{"deltafifo/DeltaFIFO.deleteQueued", "f.enqueue("},
		{"deltafifo/DeltaFIFO.Resync", "f.enqueue("},
		{"deltafifo/DeltaFIFO.Replace", "f.enqueueObject("},
		{"deltafifo/DeltaFIFO.enqueue", "f.items[key] = pending"},
		{"deltafifo/RealFIFO.enqueue", "f.queue = append(f.queue, d)"},
	},
	"queue merged":   {{"deltafifo/DeltaFIFO.merge", "betterDeletion("}},
	"queue ignored":  {{"deltafifo/DeltaFIFO.event", "!f.exists(key)"}},
	"queue requeued": {{"deltafifo/DeltaFIFO.addIfNotPresent", "f.items[key] = "}},
	"queue replaced": {{"deltafifo/DeltaFIFO.Replace", "f.deleteQueued(unseen) + f.deleteKnown(left)"}},
	"queue synced":   {{"deltafifo/progress.announce", "close(p.synced)"}},
	"process pop": {
		{"deltafifo/DeltaFIFO.Pop", "key := f.queue[0]"},
		{"deltafifo/RealFIFO.pop", "f.firstBatch(most)"},
	},

	"cache add":     written,
	"cache update":  written,
	"cache delete":  written,
	"cache replace": {{"indexer/Indexer.Replace", "ix.replaceAll(items)"}},
	"cache synced": {
		{"informer/SharedIndexInformer.firstListProcessed", "close(s.synced)"},
	},

	"processor joins": {
		{"processor/SharedProcessor.AddListener", "append(p.listeners, l)"},
	},
	"processor removed":    {{"processor/processorListener.remove", "close(l.removed)"}},
	"processor distribute": {{"processor/SharedProcessor.distribute", "range p.listeners"}},
	"processor sync":       {{"processor/SharedProcessor.distribute", "l.gets(b)"}},
	"processor pending":    {{"processor/processorListener.add", "l.pending.Add("}},
	"processor synced":     {{"processor/tracker.announce", "close(t.synced)"}},

	"handler call":     {callHandler},
	"handler returned": {callHandler},
	"handler panic":    {callHandler},
	"handler ended":    {{"processor/processorListener.end", "close(l.ended)"}},
}

var (
	written = []act{
		{"indexer/Indexer.write", "ix.lockAndStore(key, obj)"},
		{"indexer/Indexer.Transaction", "ix.storeAll(writes)"},
	}
	callHandler = act{"processor/processorListener.call", "n.callOn(l.handler)"}
)

// Call is a line that calls a function or does something else.
type Call struct {
	File string `json:"file"` // from the top of the module
	Line int    `json:"line"`
	Func string `json:"func"` // that the line is in
}

func (c Call) at() string { return fmt.Sprintf("%s:%d", c.File, c.Line) }

// origin is where an event comes from.
type origin struct {
	Call           // the line that acted; "" for what no stage reports, such as a button
	report  string // file:line of the call of a trace that reported it, "" if that line itself acted
	callers []Call // that led to the function, the innermost first, at most maxCallers
}

// maxCallers is how many callers of a function are shown: enough to see which stage it was.
const maxCallers = 5

// origin returns where the present report comes from, by the call stack. kind is a key of acts.
func (l *Source) origin(kind string) *origin {
	var pcs [32]uintptr
	return l.find(kind, l.calls(pcs[:runtime.Callers(3, pcs[:])]))
}

// find finds the line that acted among calls, which begin with the one that reported it.
func (l *Source) find(kind string, calls []Call) *origin {
	if len(calls) == 0 {
		return &origin{callers: []Call{}}
	}
	callers := func(i int) []Call { return calls[i+1 : min(len(calls), i+1+maxCallers)] }
	for _, a := range acts[kind] {
		for i, c := range calls {
			if path.Dir(c.File)+"/"+c.Func != a.in {
				continue
			}
			if line := l.lineOf(a, c); line > 0 {
				return &origin{Call{c.File, line, c.Func}, calls[0].at(), callers(i)}
			}
		}
	}
	return &origin{Call: calls[0], callers: callers(0)}
}

// lineOf is the line of an act, in the function that the call is in. It is 0 if there is none, or
// no source.
func (l *Source) lineOf(a act, c Call) int {
	f, err := l.file(c.File)
	if err != nil {
		return 0
	}
	_, first, last := f.around(c.Line)
	for n := max(first, 1); n <= last; n++ {
		if strings.Contains(f.lines[n-1], a.text) {
			return n
		}
	}
	return 0
}

// calls are the lines of the module on a call stack, without those of docs, which only watches.
func (l *Source) calls(pcs []uintptr) (calls []Call) {
	for frames, more := runtime.CallersFrames(pcs), true; more && l.prefix != ""; {
		var f runtime.Frame
		f, more = frames.Next()
		name, inModule := strings.CutPrefix(filepath.ToSlash(f.File), l.prefix)
		if inModule && !strings.HasPrefix(name, "docs/") {
			calls = append(calls, Call{name, f.Line, l.nameAt(name, f.Line, f.Function)})
		}
	}
	return calls
}
