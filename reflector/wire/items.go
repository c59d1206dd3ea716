package wire

import (
	"errors"
	"fmt"
)

// items reads the array. It does not accept null for an empty array: no API server sends null for a
// collection, and a store that got an empty list would delete everything.
func (d *listDecoder[T, P]) items() error {
	b, err := d.in.await()
	switch {
	case err != nil:
		return reading(err)
	case d.doc.hasItems:
		return errors.New("items: the document has them twice")
	case b != '[':
		return fmt.Errorf("items: want an array, have something that begins %q", d.in.quote())
	}
	d.in.start++
	d.doc.hasItems = true
	items := newAhead(d.ctx, d.cancel, &itemReader{cutter: &d.in, delimiter: '['}, d.item)
	for {
		item, err := items.next()
		switch {
		case err == errEndOfItems:
			items.running.Wait() // from here on this goroutine reads the document again
			d.in.start++
			return nil
		case err != nil && err == d.ctx.Err(): // the caller has ended it; the document may be fine
			items.close()
			return reading(err)
		case err != nil:
			items.close()
			return fmt.Errorf("item %d: %w", len(d.doc.items)+1, err)
		}
		d.doc.items = append(d.doc.items, item)
	}
}

// item decodes one item, into an allocation of its own. Several goroutines call it.
//
// An item without a name has no key, so no store could keep it. The list is refused as a whole: if
// the item were left out, the store would delete an object that the server has.
func (d *listDecoder[T, P]) item(data []byte) (P, error) {
	item := P(new(T))
	if err := decodeObject(data, item); err != nil {
		return nil, shortened(err)
	}
	if item.GetName() == "" {
		return nil, fmt.Errorf("it has no metadata.name (namespace %q, resourceVersion %q)",
			prefix(item.GetNamespace(), 60), prefix(item.GetResourceVersion(), 60))
	}
	return item, d.checkObject(item)
}

// itemReader cuts the items array of a list into its items. It is the [frameSource] of a list.
type itemReader struct {
	*cutter
	delimiter byte // '[' before the first item, ',' before any other, 0 after an item
}

// errEndOfItems says that the closing bracket comes next.
var errEndOfItems = errors.New("end of the items")

// Next waits for the next item.
func (r *itemReader) Next() ([]byte, error) {
	for {
		item, err := r.cut(r.limit)
		if err != errMore {
			return item, err
		}
		if err := r.fill(); err != nil {
			return nil, reading(err)
		}
	}
}

// ready returns the next item if it has arrived and has at most room bytes, else nil.
func (r *itemReader) ready(room int) []byte {
	item, _ := r.cut(room) // what is wrong is found again by Next
	return item
}

// cut consumes a delimiter and the item after it, as far as they have arrived.
func (r *itemReader) cut(room int) ([]byte, error) {
	b, err := r.peek()
	switch {
	case err != nil:
		return nil, err
	case b == ']' && r.delimiter != ',':
		return nil, errEndOfItems
	case r.delimiter == 0 && b != ',':
		return nil, fmt.Errorf("want one of \",]\", have something that begins %q", r.quote())
	case r.delimiter == 0:
		r.start++
		r.delimiter = ','
		return r.cut(room)
	}
	item, err := r.value(room)
	if err == nil {
		r.delimiter = 0
	}
	return item, err
}
