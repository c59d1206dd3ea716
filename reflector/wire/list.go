package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
)

// DecodeList reads a list document {"kind": …, "metadata": …, "items": […]}, with its fields in any
// order, and decodes each item into a P of its own.
//
// Items are decoded while the rest is still being read, on as many goroutines as there are cores.
// The decoded items and the bytes of a few more are in memory, never the whole document. A single
// item, like any other value in the document, may have [reflector.ObjectLimit] bytes. The number of
// items is not limited.
//
// Errors are [*reflector.DecodeError] or those of r. After an item that cannot be used, DecodeList
// returns as soon as the Read under way has returned.
func DecodeList[T any, P interface {
	*T
	watchglass.Object
}](r io.Reader) (*reflector.List, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	return (&listDecoder[T, P]{limit: reflector.ObjectLimit}).decode(ctx, cancel, r)
}

// listDecoder reads one list document, value by value. To decode the document in one go would be
// shorter, and would hold it in memory twice: once as bytes and once as objects.
type listDecoder[T any, P objectPointer[T]] struct {
	wanted
	limit int // of the bytes of one value

	ctx    context.Context // when it ends, nothing more is read
	cancel func()          // ends ctx, and a Read that waits
	in     cutter
	doc    listDocument
}

// listDocument is what is known of the document besides its items.
type listDocument struct {
	kind, apiVersion string
	metadata         struct {
		ResourceVersion string `json:"resourceVersion"`
		Continue        string `json:"continue"`
	}
	hasItems bool // an empty list has items, a single object has none
	items    []watchglass.Object
	status   status // used if the document turns out to be a Status
}

// decode reads a document from r. cancel ends ctx, and should end a Read that waits.
func (d *listDecoder[T, P]) decode(
	ctx context.Context, cancel func(), r io.Reader,
) (*reflector.List, error) {
	d.ctx, d.cancel = ctx, cancel
	d.in = cutter{r: r, limit: d.limit, what: "value"}
	err := d.document()
	if err == nil {
		err = d.checkDocument()
	}
	if err != nil {
		return nil, explainList(err)
	}
	nameKinds(&d.doc)
	return &reflector.List{
		Kind:            d.doc.kind,
		Items:           d.doc.items,
		ResourceVersion: d.doc.metadata.ResourceVersion,
		Continue:        d.doc.metadata.Continue,
	}, nil
}

// document reads from the first brace to the last. Data after it is an error.
func (d *listDecoder[T, P]) document() error {
	b, err := d.in.await()
	switch {
	case err != nil:
		return reading(err)
	case b != '{':
		return fmt.Errorf("want a JSON object, have something that begins %q", d.in.quote())
	}
	d.in.start++
	if err := d.fields(); err != nil {
		return err
	}
	_, err = d.in.await()
	switch {
	case err == nil:
		return errors.New("there is more data after the list")
	case errors.Is(err, io.EOF):
		return nil
	}
	return reading(err)
}

// fields reads the fields and the closing brace.
func (d *listDecoder[T, P]) fields() error {
	b, err := d.in.await()
	switch {
	case err != nil:
		return reading(err)
	case b == '}':
		d.in.start++
		return nil
	}
	for b != '}' {
		if err := d.field(); err != nil {
			return err
		}
		if b, err = d.delimiter(",}"); err != nil {
			return err
		}
	}
	return nil
}

// delimiter reads one byte, which must be one of want.
func (d *listDecoder[T, P]) delimiter(want string) (byte, error) {
	b, err := d.in.await()
	switch {
	case err != nil:
		return 0, reading(err)
	case strings.IndexByte(want, b) < 0:
		return 0, fmt.Errorf("want one of %q, have something that begins %q", want, d.in.quote())
	}
	d.in.start++
	return b, nil
}

// field reads one field of the document. It skips fields that it does not know, because future
// servers may send more.
func (d *listDecoder[T, P]) field() error {
	var key string
	if err := d.value("key", &key); err != nil {
		return err
	}
	if _, err := d.delimiter(":"); err != nil {
		return err
	}
	switch key {
	case "items":
		return d.items()
	case "kind":
		return d.value(key, &d.doc.kind)
	case "apiVersion":
		return d.value(key, &d.doc.apiVersion)
	case "metadata":
		return d.value(key, &d.doc.metadata)
	// The next four are fields of a Status. Whether this is one is only known at the end: kind may
	// come last.
	case "message":
		return d.value(key, &d.doc.status.Message)
	case "reason":
		return d.value(key, &d.doc.status.Reason)
	case "code":
		return d.value(key, &d.doc.status.Code)
	case "details":
		return d.value(key, &d.doc.status.Details)
	case "columnDefinitions", "rows":
		return errTable
	}
	return d.value(fmt.Sprintf("field %q", prefix(key, 60)), new(json.RawMessage))
}

// errTable is the error for a response in the form that kubectl asks for: rows of cells instead of
// objects. The field columnDefinitions shows it before any rows have been read.
var errTable = errors.New("it is a Table: want the objects, as plain application/json")

// value decodes the value that comes next. Its error begins with what, the name of the value.
func (d *listDecoder[T, P]) value(what string, into any) error {
	data, err := d.raw()
	if err == nil {
		err = decodeObject(data, into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, shortened(err))
	}
	return nil
}

// raw returns the bytes of the value that comes next. They are valid until more is read.
func (d *listDecoder[T, P]) raw() ([]byte, error) {
	_, err := d.in.await()
	if err != nil {
		return nil, reading(err)
	}
	data, err := d.in.awaitValue()
	return data, reading(err)
}

// readError is an error of the connection, as opposed to one of the document.
type readError struct{ err error }

func (e *readError) Error() string { return e.err.Error() }

// reading makes a readError of an error of the cutter, unless the document itself is at fault. If
// the bytes end inside the document, the connection has broken.
func reading(err error) error {
	_, tooLarge := errors.AsType[*reflector.TooLargeError](err)
	switch {
	case err == nil || tooLarge:
		return err
	case errors.Is(err, io.EOF):
		return &readError{io.ErrUnexpectedEOF}
	}
	return &readError{err}
}

// explainList makes a DecodeError of an error of the document. An error of the connection, which
// may pass, stays what it is.
func explainList(err error) error {
	if broken, ok := errors.AsType[*readError](err); ok {
		return fmt.Errorf("reading list: %w", broken.err)
	}
	return &reflector.DecodeError{What: "list", Err: err}
}

// checkDocument checks the document as a whole. This is possible only at its end, because kind
// often comes last.
func (d *listDecoder[T, P]) checkDocument() error {
	doc := &d.doc
	switch {
	case doc.kind == "Status":
		doc.status.Kind = doc.kind
		return fmt.Errorf("it is a Status: %w", doc.status.err())
	case doc.kind == "Table":
		return errTable
	case !doc.hasItems:
		return fmt.Errorf("a document of kind %q has no items: is the URL that of a collection?",
			prefix(doc.kind, 60))
	}
	// The kind of a list need not be the kind of its objects and "List". So it is refused only if it
	// names another kind in this way; "List" alone fits every kind.
	listKind := d.kind + "List"
	if d.kind != "" && strings.HasSuffix(doc.kind, "List") && doc.kind != listKind &&
		doc.kind != "List" {
		return fmt.Errorf("it is a %q, want a %q", prefix(doc.kind, 60), listKind)
	}
	if d.apiVersion != "" && doc.apiVersion != "" && doc.apiVersion != d.apiVersion {
		return fmt.Errorf("its apiVersion is %q, want %q", prefix(doc.apiVersion, 60), d.apiVersion)
	}
	return nil
}

// nameKinds sets kind and apiVersion of dynamic objects without a kind, such as the items of
// built-in lists. Otherwise nothing would distinguish a Pod from a Secret outside its list.
func nameKinds(doc *listDocument) {
	kind, ok := strings.CutSuffix(doc.kind, "List")
	if !ok || kind == "" {
		return
	}
	for _, item := range doc.items {
		if u, ok := item.(*watchglass.Unstructured); ok && u.GetKind() == "" {
			u.Object["kind"], u.Object["apiVersion"] = kind, doc.apiVersion
		}
	}
}
