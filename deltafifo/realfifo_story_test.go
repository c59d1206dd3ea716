package deltafifo

import (
	"fmt"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/story"
)

// ordered is a RealFIFO beside the queue of a story, with a consumer and the cache that the
// consumer keeps.
type ordered struct {
	queue *RealFIFO
	store *known
	told  []string // what the last command has caused, line by line
}

func newOrdered() *ordered {
	return &ordered{queue: NewRealFIFO(RealFIFOOptions{}), store: newKnown()}
}

func (o *ordered) do(c story.Command, list []watchglass.Object) (err error) {
	o.told = nil
	switch c.Name {
	case "begin":
		err = o.queue.Replace(list, "1")
		o.pop()
		o.told = nil // the first list is not part of the story
	case "known":
		*o.store = *newKnown(list...)
	case "relist":
		err = o.queue.Replace(list, c.Opt("rv", "90"))
	case "resync":
		err = o.queue.Resync()
	default:
		method := map[string]func(watchglass.Object) error{
			"add": o.queue.Add, "update": o.queue.Update, "delete": o.queue.Delete,
		}[c.Name]
		for _, obj := range list {
			if err == nil {
				err = method(obj)
			}
		}
	}
	return err
}

func (o *ordered) len() int { return o.queue.Len() }

func (o *ordered) pop() {
	if o.len() == 0 {
		o.tell("nothing to pop: a consumer would wait now")
		return
	}
	_, _ = o.queue.Pop(func(d Deltas, _ bool) error {
		o.tell("popped %s", entryOf(d[0]))
		o.consume(d[0])
		return nil
	})
}

// consume is what the consumer of a RealFIFO does: it compares a list with its cache itself, and
// goes through its cache itself when a resync comes.
func (o *ordered) consume(d Delta) {
	switch info := d.Object.(type) {
	case ReplacedAllInfo:
		before := o.store
		o.store = newKnown(info.Objects...)
		for _, obj := range before.byName() {
			if o.store.objects[obj.GetName()] == nil {
				o.tell("  the consumer finds %s deleted", obj.GetName())
			}
		}
	case SyncAllInfo:
		o.tell("  the consumer looks at %v", o.store)
	case BookmarkInfo:
		o.tell("  the consumer knows that its cache is the state at version %s",
			info.ResourceVersion)
	default:
		o.store.apply(Deltas{d})
	}
}

func (o *ordered) tell(format string, args ...any) {
	o.told = append(o.told, fmt.Sprintf(format, args...))
}

func (o *ordered) state() string {
	told := o.told
	o.told = nil
	return "RealFIFO\n" + indent(told, []string{
		"queue [" + strings.Join(entriesOf(o.queue.queue), ", ") + "]", fmt.Sprint("cache ", o.store)})
}
