package client

import (
	"bytes"
	"errors"
	"fmt"

	"example.com/watchglass/reflector"
)

// document is the [source] of the items of a list, a JSON object whose members come in any order.
// What is around the items it collects: {"kind": …, "items": [0]}, with a zero in place of all of
// them. The document is valid JSON if this is and if all items are.
//
// It ends with the error that ends the body. An item may have limit bytes, and so may the rest. The
// number of items is not limited.
type document struct {
	cutter
	rest     []byte // the values and the punctuation around the items, with a space after each
	hasItems bool   // the member items has begun
	inItems  bool   // it is an array, and has not ended
	complete bool   // the last brace has been read
}

// next implements [source]: it returns the next item. What comes before that goes to rest.
func (d *document) next() ([]byte, error) {
	for {
		b, err := d.peek()
		switch {
		case err != nil:
			return nil, err
		case d.complete:
			return nil, errors.New("there is more data after the list")
		case d.inItems && b != ',' && b != ']':
			return d.item()
		}
		if err := d.keep(b); err != nil {
			return nil, err
		}
	}
}

// item returns the item that comes next. In rest, [ 0 , 0 becomes [ 0, or the rest would grow.
func (d *document) item() ([]byte, error) {
	item, err := d.cutter.next()
	if err == nil {
		d.rest = append(bytes.TrimSuffix(d.rest, []byte("0 , ")), "0 "...)
	}
	return item, err
}

// keep moves to rest what begins with b: punctuation, or a value. Of the document itself, and of
// the array of the items, it moves only the first byte.
func (d *document) keep(b byte) (err error) {
	begin, items := len(d.rest) == 0, bytes.HasSuffix(d.rest, []byte(` "items" : `))
	switch {
	case begin && b != '{':
		return fmt.Errorf("want a JSON object, have something that begins %q", d.quote())
	case items && d.hasItems:
		return errors.New("items: the document has them twice")
	case items && b != '[' && b != 'n': // null is a nil slice of a server written in Go
		return fmt.Errorf("items: want an array, have something that begins %q", d.quote())
	case len(d.rest) > d.limit:
		return &reflector.TooLargeError{What: "document without its items", Limit: d.limit}
	}
	var token []byte
	if begin || items && b == '[' {
		token = d.cut(1)
	} else if token, err = d.cutter.next(); err != nil {
		return err
	}
	d.rest = append(append(d.rest, token...), ' ')
	d.hasItems = d.hasItems || items
	d.inItems = items && b == '[' || d.inItems && b == ','
	d.complete = b == '}'
	return nil
}
