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
	Kind, Type string
	Metadata   struct{ ResourceVersion string }
	Items      []json.RawMessage
	Object     json.RawMessage
}

// sameBytes is the picture of chapter 1: one object in a list and in a frame of a watch, as fakeapi
// sends it. Both must be the same to the byte.
func sameBytes(archive) (plan, error) {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	for _, name := range []string{"web-1", "web-2"} {
		body := fmt.Sprintf(`{"metadata":{"name":%q},"spec":{"color":"red"}}`, name)
		if _, err := server.Create("widgets", body); err != nil {
			return plan{}, err
		}
	}
	const watching = "?watch=1&resourceVersion=1"
	list, err := ask(server.Client(), "")
	if err != nil {
		return plan{}, err
	}
	frame, err := ask(server.Client(), watching)
	if err != nil {
		return plan{}, err
	}
	if len(list.Items) == 0 || !bytes.Equal(list.Items[0], frame.Object) {
		return plan{}, fmt.Errorf("fakeapi sends %s in a frame, and in a list %s", frame.Object,
			list.Items)
	}
	var o struct {
		Metadata struct{ Name, ResourceVersion string }
		Spec     json.RawMessage
	}
	err = json.Unmarshal(frame.Object, &o)
	same := state(o.Metadata.Name, o.Metadata.ResourceVersion)
	fields := []string{fmt.Sprintf(`{"metadata": {"name": %q,`, o.Metadata.Name),
		fmt.Sprintf(`  "resourceVersion": %q, …},`, same.rv), fmt.Sprintf(` "spec": %s}`, o.Spec)}
	bytes := fmt.Sprintf("%d bytes", len(frame.Object))
	return plan{
		claim: "A list item and a watch frame carry the same object, byte for byte. Around it, a list " +
			"has " +
			"one version for everything in it, and a frame says what has happened.",
		says: fmt.Sprintf("%s in a list of version %s, and in a frame of type %s: the same %s.", same,
			list.Metadata.ResourceVersion, frame.Type, bytes),
		draw: func(c *canvas) {
			x, y := 398, 0
			if c.wide {
				c.text("large mid", 360, 176, "=")
				c.text("soft mid", 360, 196, "the same")
				c.text("soft mid", 360, 212, bytes)
			} else {
				x, y = 0, 312
				c.text("large", 0, y-12, "=  the same "+bytes)
			}
			c.envelope(0, 0, "a list", "", same, fields, fmt.Sprintf(`{ "kind": %q,`, list.Kind),
				fmt.Sprintf(`  "metadata": {"resourceVersion": %q},`, list.Metadata.ResourceVersion),
				`  "items": [`, fmt.Sprintf("… %d more ]}", len(list.Items)-1), "bold: the version of the whole list")
			c.envelope(x, y, "a watch", watching, same, fields, "", fmt.Sprintf(`{ "type": %q,`, frame.Type),
				`  "object":`, "}", "bold: what has happened")
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
	return a, json.NewDecoder(resp.Body).Decode(&a)
}

// envelope draws what is sent around an object: three lines before it, and one after it.
func (c *canvas) envelope(x, y int, name, query string, o object, fields []string,
	around ...string) {
	c.text("large", x, y+16, name)
	c.text("mono soft", x, y+36, "GET …/widgets"+query)
	c.box("box", x, y+48, 320, 196)
	for i, at := range []int{70, 88, 106, 230} {
		c.text([]string{"mono", "mono strong", "mono", "mono"}[i], x+10, y+at, around[i])
	}
	c.tint(o, x+20, y+118, 290, 92)
	c.object(o, x+26, y+124)
	for i, l := range fields {
		c.text("mono", x+30, y+166+i*line, l)
	}
	c.text("soft", x, y+264, around[4])
}
