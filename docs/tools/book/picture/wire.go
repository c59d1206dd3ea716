package picture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"

	"example.com/watchglass/fakeapi"
)

// answer is a list, or one frame of a watch.
type answer struct {
	Kind     string
	Metadata struct{ ResourceVersion string }
	Items    []json.RawMessage
	Type     string
	Object   json.RawMessage
}

// sameBytes is the picture of chapter 1: one object in a list and in a frame of a watch, as fakeapi
// sends it. Both must be the same to the byte.
func sameBytes(*archive) (plan, error) {
	const watching = "?watch=1&resourceVersion=1"
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	for _, name := range []string{"web-1", "web-2"} {
		body := fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"color":"red"}}`, name)
		if _, err := server.Create("widgets", body); err != nil {
			return plan{}, err
		}
	}
	list, err := ask(server.Client(), "")
	if err != nil {
		return plan{}, err
	}
	frame, err := ask(server.Client(), watching)
	if err != nil {
		return plan{}, err
	}
	if len(list.Items) == 0 || !bytes.Equal(list.Items[0], frame.Object) {
		return plan{}, fmt.Errorf("fakeapi sends %.200s in a frame, and in a list %.200s", frame.Object, list.Items)
	}
	o, lines, err := excerpt(frame.Object)
	item := envelope{"a list", "GET …/widgets", []string{fmt.Sprintf(`{ "kind": %q,`, list.Kind),
		fmt.Sprintf(`  "metadata": {"resourceVersion": %q},`, list.Metadata.ResourceVersion), `  "items": [`},
		fmt.Sprintf("version %s is that of the whole list", list.Metadata.ResourceVersion),
		fmt.Sprintf("… %d more … ]}", len(list.Items)-1), o, lines}
	event := envelope{"a watch", "GET …/widgets" + watching, []string{
		"", fmt.Sprintf(`{ "type": %q,`, frame.Type), `  "object":`},
		frame.Type + " says what has happened", "}", o, lines}
	return plan{
		claim: "A list item and a watch frame carry the same object, byte for byte. Around it, a list has " +
			"one version for everything in it, and a frame says what has happened.",
		says: fmt.Sprintf("%v in a list, where %s; and in a frame, where %s: the same %d bytes.", o, item.note,
			event.note, len(frame.Object)),
		draw: func(c *canvas) {
			same := fmt.Sprintf("%d bytes", len(frame.Object))
			if c.wide {
				item.draw(c, 0, 0)
				event.draw(c, 398, 0)
				c.middle("large", 360, 176, "=")
				c.middle("soft", 360, 198, "the same")
				c.middle("soft", 360, 214, same)
				return
			}
			item.draw(c, 0, 0)
			y := c.height + 28
			c.middle("strong", c.width/2, y, "=  the same "+same)
			event.draw(c, 0, y+14)
		},
	}, err
}

// ask reads the first JSON document of an answer.
func ask(client *http.Client, query string) (a answer, err error) {
	resp, err := client.Get(fakeapi.URL + "/apis/workshop.example.dev/v1/widgets" + query)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close() // ends a watch
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		return a, fmt.Errorf("the answer to %q: %w", query, err)
	}
	return a, nil
}

// excerpt says which object this is, and shows some of its fields.
func excerpt(encoded []byte) (object, []string, error) {
	var o struct {
		Metadata struct{ Name, ResourceVersion string }
		Spec     json.RawMessage
	}
	err := json.Unmarshal(encoded, &o)
	return object{key: o.Metadata.Name, rv: o.Metadata.ResourceVersion}, []string{
		fmt.Sprintf(`{"metadata": {"name": %q,`, o.Metadata.Name),
		fmt.Sprintf(`  "resourceVersion": %q, …},`, o.Metadata.ResourceVersion),
		fmt.Sprintf(` "spec": %s}`, o.Spec)}, err
}

// envelope is what is sent around an object, and the object.
type envelope struct {
	name, request string
	opens         []string
	note, closes  string
	object        object
	lines         []string
}

func (e envelope) draw(c *canvas, x, y int) {
	c.text("large", x, y+16, e.name)
	c.text("mono soft", x, y+36, e.request)
	y += 48
	width := min(320, c.width-x)
	c.box("box", x, y, width, 196)
	for i, l := range e.opens {
		class := "mono"
		if i == 1 {
			class += " strong" // that in which list and frame differ
		}
		c.text(class, x+10, y+22+i*line, l)
	}
	c.tint(e.object, x+20, y+70, width-30, 92)
	c.object(e.object, x+26, y+76)
	for i, l := range e.lines {
		c.text("mono", x+30, y+118+i*line, l)
	}
	c.text("mono", x+10, y+182, e.closes)
	c.para("soft", x, y+218, width, e.note)
}
