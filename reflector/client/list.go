package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/watchglass"
	"example.com/watchglass/reflector"
)

// listDecoder decodes a list {"kind": …, "metadata": …, "items": […]}. To decode the document in
// one go would be shorter, and would hold it in memory twice: once as bytes and once as objects. So
// the items are taken out of it and decoded in batches, like the frames of a watch. What is around
// them is small.
type listDecoder[T any, P objectPointer[T]] struct {
	wanted
	head  // what is around the items, decoded
	items []watchglass.Object
}

// decodeList reads a list from r, whose Read ends with ctx. Errors are [*reflector.DecodeError] or,
// because these may pass, those of r and ctx.
func decodeList[T any, P objectPointer[T]](
	ctx context.Context, r io.Reader, limit int, want wanted,
) (*reflector.List, error) {
	d := listDecoder[T, P]{wanted: want}
	from := &document{cutter: cutter{r: r, limit: limit, what: "value"}}
	items := &batches[watchglass.Object]{ctx: ctx, from: from, decode: d.item}
	item, err := items.next()
	for ; err == nil; item, err = items.next() {
		d.items = append(d.items, item)
	}
	switch broken, ok := err.(*readError); {
	case ok && from.complete:
		err = d.check(from)
	case ok:
		return nil, fmt.Errorf("reading list: %w", broken.noEOF())
	case err == ctx.Err(): // the caller has ended it; the document may be fine
		return nil, fmt.Errorf("reading list: %w", err)
	case item != nil:
		err = fmt.Errorf("item %d: %w", len(d.items)+1, err)
	}
	if err != nil {
		return nil, &reflector.DecodeError{What: "list", Err: err}
	}
	return &reflector.List{Kind: d.Kind, Items: d.items,
		ResourceVersion: d.Metadata.ResourceVersion, Continue: d.Metadata.Continue}, nil
}

// item decodes one item, into an allocation of its own. Several goroutines call it. It returns an
// item with an error as well.
//
// An item without a name has no key, so no store could keep it. The list is refused as a whole: if
// the item were left out, the store would delete an object that the server has. An item that has a
// name and does not fit into T is a [*watchglass.Unusable].
func (d *listDecoder[T, P]) item(by *decoder, data []byte) (watchglass.Object, error) {
	item, kind, err := decodeObject[T, P](by, data)
	if err != nil {
		return P(nil), shortened(err)
	}
	return item, d.wanted.check(kind)
}

// check decodes what is around the items, and checks the document as a whole. This is possible only
// at its end, because kind often comes last.
func (d *listDecoder[T, P]) check(from *document) error {
	if err := json.Unmarshal(from.rest, &d.head); err != nil {
		return err
	}
	refused, isStatus := status(from.rest)
	switch {
	case isStatus:
		return fmt.Errorf("it is a Status: %w", refused)
	case d.Kind == "Table": // the form that kubectl asks for: rows of cells instead of objects
		return errors.New("it is a Table: want the objects, as plain application/json")
	case !from.hasItems:
		return fmt.Errorf("a document of kind %.50q has no items: is the URL that of a collection?",
			d.Kind)
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
			return fmt.Errorf("it is a %.50q, want a %q", d.Kind, d.kind+"List")
		}
		u.Object["kind"], u.Object["apiVersion"] = kind, d.APIVersion
	}
	return nil
}
