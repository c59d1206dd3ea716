package wire

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/rest"
)

// listDecoder reads a list {"kind": …, "metadata": …, "items": […]}, with its fields in any order.
// To decode the document in one go would be shorter, and would hold it in memory twice: once as
// bytes and once as objects. So the items are taken out of the document and decoded ahead, one by
// one, and what is left of it is small: {"kind": …, "metadata": …, "items": []}.
//
// An item may have limit bytes, and so may what is left of the document. The number of items is not
// limited.
type listDecoder[T any, P objectPointer[T]] struct {
	wanted
	ctx    context.Context // when it ends, nothing more is read
	cancel func()          // ends ctx, and a Read that waits
	in     cutter
	rest   []byte // of the document, without the items
	head          // the rest, decoded
	items  []watchglass.Object
}

// decodeList reads a list from r. cancel ends ctx, and should end a Read that waits. Errors are
// [*reflector.DecodeError] or, because these may pass, those of r and ctx.
func decodeList[T any, P objectPointer[T]](
	ctx context.Context, cancel func(), r io.Reader, limit int, want wanted,
) (*reflector.List, error) {
	d := listDecoder[T, P]{wanted: want, ctx: ctx, cancel: cancel,
		in: cutter{r: r, limit: limit, what: "value"}}
	err := d.read()
	if broken, ok := err.(*readError); ok {
		return nil, fmt.Errorf("reading list: %w", broken.noEOF())
	}
	if err != nil {
		return nil, &reflector.DecodeError{What: "list", Err: err}
	}
	return &reflector.List{Kind: d.Kind, Items: d.items,
		ResourceVersion: d.Metadata.ResourceVersion, Continue: d.Metadata.Continue}, nil
}

// read reads from the first brace to the last, and then the end of the body. It puts the rest
// together and decodes it; whether it is valid JSON, only that shows.
func (d *listDecoder[T, P]) read() error {
	for b := byte(0); b != '}'; {
		var err error
		if b, err = d.in.awaitByte(); err != nil {
			return err
		}
		switch {
		case len(d.rest) == 0 && b != '{':
			return fmt.Errorf("want a JSON object, have something that begins %q", d.in.quote())
		case len(d.rest) == 0, b == ',', b == ':', b == '}':
			d.in.start++
			d.rest = append(d.rest, b)
		case b == '[' && d.atItems():
			err = d.readItems()
		default:
			value, more := await(&d.in)
			d.rest, err = append(append(d.rest, value...), ' '), more // or 1 and 2 would become 12
		}
		if len(d.rest) > d.in.limit {
			err = &reflector.TooLargeError{What: "document without its items", Limit: d.in.limit}
		}
		if err != nil {
			return err
		}
	}
	_, err := d.in.awaitByte()
	if _, ended := err.(*readError); !ended {
		return cmp.Or(err, errors.New("there is more data after the list"))
	}
	if err := json.Unmarshal(d.rest, &d.head); err != nil {
		return err
	}
	return d.check()
}

// atItems reports whether the value that comes next is that of the field items. In rest a space
// follows each value.
func (d *listDecoder[T, P]) atItems() bool {
	before, ok := bytes.CutSuffix(d.rest, []byte(`"items" :`))
	return ok && (before[len(before)-1] == '{' || before[len(before)-1] == ',')
}

// check checks the document as a whole. This is possible only at its end, because kind often comes
// last.
func (d *listDecoder[T, P]) check() error {
	if refused, ok := rest.Status(d.rest); ok {
		return fmt.Errorf("it is a Status: %w", refused)
	}
	switch items := string(d.Items); {
	case d.Kind == "Table": // the form that kubectl asks for: rows of cells instead of objects
		return errors.New("it is a Table: want the objects, as plain application/json")
	case items == "":
		return fmt.Errorf("a document of kind %.60q has no items: is the URL that of a collection?",
			d.Kind)
	case items != "[]" && items != "null": // which is a nil slice of a server written in Go
		return fmt.Errorf("items: want an array, have something that begins %q", quote(d.Items))
	}
	return cmp.Or(d.wanted.check(&head{APIVersion: d.APIVersion}), d.nameKinds())
}

// nameKinds is for dynamic items that leave out their kind, as those of built-in resources do.
// Their list is called after them, while other lists may be called anything. If it is the list of
// another kind, that is an error. Otherwise they get its kind: nothing else would distinguish a Pod
// from a Secret outside its list.
func (d *listDecoder[T, P]) nameKinds() error {
	kind, named := strings.CutSuffix(d.Kind, "List")
	for _, item := range d.items {
		u, dynamic := item.(*watchglass.Unstructured)
		if !named || kind == "" || !dynamic || u.GetKind() != "" {
			continue
		}
		if d.wanted.check(&head{Kind: kind}) != nil {
			return fmt.Errorf("it is a %.60q, want a %q", d.Kind, d.kind+"List")
		}
		u.Object["kind"], u.Object["apiVersion"] = kind, d.APIVersion
	}
	return nil
}
