package wire

import (
	"errors"
	"fmt"

	"example.com/watchglass"
)

// readItems reads the array of items, and decodes them ahead.
func (d *listDecoder[T, P]) readItems() error {
	if d.items != nil {
		return errors.New("items: the document has them twice")
	}
	d.items = []watchglass.Object{}
	d.rest = append(d.rest, "[]"...)
	d.in.start++
	items := newAhead(d.ctx, d.cancel, &elements{&d.in, '['}, d.item)
	defer items.running.Wait() // after that, this goroutine reads the document again
	for {
		item, err := items.next()
		switch broken, ok := err.(*readError); {
		case err == nil:
			d.items = append(d.items, item)
			continue
		case err == errEnd:
			d.in.start++
			return nil
		case ok:
			return broken
		case err == d.ctx.Err(): // the caller has ended it; the document may be fine
			return &readError{err}
		}
		d.cancel()
		return fmt.Errorf("item %d: %w", len(d.items)+1, err)
	}
}

// item decodes one item, into an allocation of its own. Several goroutines call it.
//
// An item without a name has no key, so no store could keep it. The list is refused as a whole: if
// the item were left out, the store would delete an object that the server has.
func (d *listDecoder[T, P]) item(by *decoder, data []byte) (P, error) {
	item := P(new(T))
	if err := by.unmarshal(data, item); err != nil {
		return nil, shortened(err)
	}
	if item.GetName() == "" {
		return nil, fmt.Errorf("it has no metadata.name (namespace %.60q, resourceVersion %.60q)",
			item.GetNamespace(), item.GetResourceVersion())
	}
	return item, d.wanted.check(item)
}

// elements is the [source] of what is between the brackets of an array.
type elements struct {
	*cutter
	last byte // what was consumed last: '[', ',', or 0 for an element
}

// errEnd says that the closing bracket comes next.
var errEnd = errors.New("end of the array")

// next consumes a comma and the element after it, as far as they have arrived.
func (e *elements) next(room int) ([]byte, error) {
	b, err := e.peek()
	switch {
	case err != nil:
		return nil, err
	case b == ']' && e.last != ',':
		return nil, errEnd
	case e.last == 0 && b != ',':
		return nil, fmt.Errorf("want one of \",]\", have something that begins %q", e.quote())
	case e.last == 0:
		e.start++
		e.last = ','
		return e.next(room)
	}
	element, err := e.cutter.next(room)
	if err == nil {
		e.last = 0
	}
	return element, err
}
