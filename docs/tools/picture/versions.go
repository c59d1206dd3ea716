package picture

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"example.com/watchglass/fakeapi"
)

// answer is a list, or one frame of a watch.
type answer struct {
	Type     string
	Metadata struct{ Name, ResourceVersion string }
	Items    []answer
	Object   *answer
}

// threeVersions is the picture of chapter 1: the versions of an object, of a list and of a bookmark
// on the line of the server's counter. They are those of fakeapi's answers.
func threeVersions(archive) (plan, error) {
	server := fakeapi.New(fakeapi.Options{})
	defer server.Close()
	made, errs := []string{"web-1", "web-2", "settings", "more"}, []error(nil)
	create := func(resource, name string) {
		_, err := server.Create(resource, fmt.Sprintf(`{"metadata":{"name":%q}}`, name))
		errs = append(errs, err)
	}
	create("widgets", made[0])
	create("widgets", made[1])
	create("configmaps", made[2])
	list, err := ask(server.Client(), "", "")
	errs = append(errs, err)
	create("configmaps", made[3])
	mark, err := ask(server.Client(), "?watch=1&allowWatchBookmarks=true&sendInitialEvents=true"+
		"&resourceVersionMatch=NotOlderThan", "BOOKMARK")
	if err = errors.Join(append(errs, err)...); err != nil {
		return plan{}, err
	}
	if len(list.Items) == 0 || mark.Object == nil {
		return plan{}, errors.New("fakeapi sends no object in a list, or no version in a bookmark")
	}
	first := list.Items[0].Metadata
	versions := []version{
		{first.ResourceVersion, "object " + first.Name, "its own last write"},
		{list.Metadata.ResourceVersion, "list", "the counter when it was taken"},
		{mark.Object.Metadata.ResourceVersion, "bookmark", "up to here, no more events for you"},
	}
	at := []int{}
	for _, v := range versions {
		n, err := strconv.Atoi(v.rv)
		if err != nil || len(at) > 0 && n <= at[len(at)-1] {
			return plan{}, fmt.Errorf("versions do not grow from object to list to bookmark: %v",
				versions)
		}
		at = append(at, n)
	}
	return plan{
		claim: "One counter, three kinds of version: an object carries the number of its own last " +
			"write, a list the number that the counter had when it was taken, a bookmark the number up " +
			"to which a watch has sent everything.",
		says: fmt.Sprintf("After versions of two widgets and two ConfigMaps: %v.", versions),
		draw: func(c *canvas) { drawVersions(c, made, versions, at) },
	}, nil
}

// version is what carries a number of the counter, and what the number says there.
type version struct{ rv, of, says string }

// ask reads the answer to a GET of the widgets, or of a watch the first frame of a type.
func ask(client *http.Client, query, frame string) (a answer, err error) {
	resp, err := client.Get(fakeapi.URL + "/apis/workshop.example.dev/v1/widgets" + query)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close() // ends a watch
	for frames := json.NewDecoder(resp.Body); ; {
		a = answer{}
		if err = frames.Decode(&a); err != nil || a.Type == frame {
			return a, err
		}
	}
}

// drawVersions draws the counter as a line with a place for each write, the first of which has the
// number 2, and below it what carries which number.
func drawVersions(c *canvas, made []string, versions []version, at []int) {
	x := func(n int) int { return 20 + (n-1)*(c.width-60)/(len(made)+1) }
	c.text("soft", 0, 14, "each write takes the next number")
	for i, name := range made {
		switch o := state(name, ""); {
		case i >= 2 && c.wide:
			c.text("soft mid", x(i+2), 41, "another resource")
		case i >= 2:
			c.text("soft mid", x(i+2), 41, "other")
		case c.wide:
			c.object(o, x(i+2)-o.width()/2, 24)
		default:
			c.mark(o, x(i+2), 36)
		}
	}
	c.arrow("line", right, c.width, 66, "M%d,66", x(1))
	for n := 1; n <= len(made)+1; n++ {
		c.path("line", "M%d,60v12", x(n))
		c.text("mono mid", x(n), 88, strconv.Itoa(n))
	}
	y := 112
	for i, v := range versions {
		c.arrow("way", up, x(at[i]), 94, "M%d,%d", x(at[i]), y)
		c.path("way", "M%d,%dH8", x(at[i]), y)
		c.text("strong", 8, y+18, v.of+": "+v.rv)
		if c.wide {
			c.text("soft", 8+int(prose*float64(len(v.of)+6)), y+18, v.says)
		} else {
			y += line
			c.text("soft", 8, y+18, v.says)
		}
		y += 42
	}
}
