package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asJSON reads a text and writes its documents as JSON, one a line.
func asJSON(text string) (string, error) {
	documents, err := readDocuments(text)
	if err != nil {
		return "", err
	}
	var lines []string
	for _, d := range documents {
		b, err := json.Marshal(d.value)
		if err != nil {
			return "", err
		}
		lines = append(lines, string(b))
	}
	return strings.Join(lines, "\n"), nil
}

// What kubectl makes of the same texts was compared with a YAML library, millions of them.
func TestYAMLMeansWhatItMeansToKubectl(t *testing.T) {
	for _, c := range []struct{ law, text, want string }{
		{"keys and values make a map", "a: b\nc: d\n", `{"a":"b","c":"d"}`},
		{"deeper lines belong to their key", "a:\n  b:\n    c: d\ne: f", `{"a":{"b":{"c":"d"}},"e":"f"}`},
		{"a key with nothing is null", "a:\nb: ~\nc: null", `{"a":null,"b":null,"c":null}`},
		{"a list may stand at its key's column", "a:\n- 1\n- 2\nb: 3", `{"a":[1,2],"b":3}`},
		{"or further in", "a:\n  - 1\n  - 2\nb: 3", `{"a":[1,2],"b":3}`},
		{"an item may be a map", "- a: 1\n  b: 2\n-   c: 3\n    d: 4", `[{"a":1,"b":2},{"c":3,"d":4}]`},
		{"or a list, or nothing", "- - 1\n  - 2\n-\n- x", `[[1,2],null,"x"]`},
		{"a value may stand below its key", "a:\n  b\nc:\n  \"d\"", `{"a":"b","c":"d"}`},
		{"comments and blank lines are nothing", "# x\na: b # y\n\n  # z\nc: d#e", `{"a":"b","c":"d#e"}`},
		{"Windows' line ends are read", "a:\r\n- b\r\n", `{"a":["b"]}`},

		{"numbers are numbers", "a: [0, -7, 1.50, 1e3, .5, +2]", `{"a":[0,-7,1.5,1000,0.5,2]}`},
		{"a zero before digits means octal", "mode: 0644\nalso: 0o17\nhex: 0x1F",
			`{"also":15,"hex":31,"mode":420}`},
		{"large numbers lose no digit", "a: 12345678901234567890", `{"a":12345678901234567890}`},
		{"booleans are booleans", "a: true\nb: False", `{"a":true,"b":false}`},
		{"anything else is text", "a: 500m\nb: 1.2.3\nc: 12:30\nd: 2026-01-02T03:04:05Z\ne: -x",
			`{"a":"500m","b":"1.2.3","c":"12:30","d":"2026-01-02T03:04:05Z","e":"-x"}`},
		{"a colon inside is part of the text", "a: http://x:80/y\nb: ::1", `{"a":"http://x:80/y","b":"::1"}`},
		{"keys are text, whatever they look like", "8080: a\ntrue: b\n\"x y\": c",
			`{"8080":"a","true":"b","x y":"c"}`},

		{"quotes make text of anything", `a: "true"` + "\nb: '1'\nc: \"# no: comment\"",
			`{"a":"true","b":"1","c":"# no: comment"}`},
		{"double quotes know escapes", `a: "\t\"\\\x41\u00e9\U0001F600\/"`, `{"a":"\t\"\\Aé😀/"}`},
		{"single quotes know one", `a: 'it''s \n'`, `{"a":"it's \\n"}`},

		{"brackets on a line", `a: {}` + "\nb: []\nc: {d: [e, 'f', \"g\"], h: , i: {j: k}}",
			`{"a":{},"b":[],"c":{"d":["e","f","g"],"h":null,"i":{"j":"k"}}}`},
		{"as JSON has them", `a: {"b":1,"c":["d",null]}`, `{"a":{"b":1,"c":["d",null]}}`},
		{"a comma may stand behind the last", "a: [1, 2, ]\nb: {c: d,}", `{"a":[1,2],"b":{"c":"d"}}`},

		{"| keeps lines", "a: |\n  x\n    y\n\n  z\nb: c\n", `{"a":"x\n  y\n\nz\n","b":"c"}`},
		{"|- without the last line end", "a: |-\n  x\n\nb: c\n", `{"a":"x","b":"c"}`},
		{"|+ with all of them", "a: |+\n  x\n\nb: c\n", `{"a":"x\n\n","b":"c"}`},
		{"| in a list", "- |\n  x\n- z\n", `["x\n","z"]`},
		{"| with its indentation said", "a: |2\n    x\n", `{"a":"  x\n"}`},
		{"| may be empty", "a: |\nb: c\n", `{"a":"","b":"c"}`},
		{"| has no comments", "a: | # but here\n  # x\n  y: z\n", `{"a":"# x\ny: z\n"}`},
		{"| at the file's end has the line end that is there", "a: |\n  x", `{"a":"x"}`},
		{"> joins lines", "a: >\n  x\n  y\n\n  z\n", `{"a":"x y\nz\n"}`},
		{"> leaves lines alone that are further in", "a: >-\n\n  x\n   y\n  z\n", `{"a":"\nx\n y\nz"}`},

		{"dashes divide documents", "---\na: 1\n--- # x\n# only a comment\n---\nb: 2\n...\n",
			"{\"a\":1}\n{\"b\":2}"},
		{"a document may be JSON", "{\"a\":\n 1}\n{\"b\":2}\n---\nc: 3\n", "{\"a\":1}\n{\"b\":2}\n{\"c\":3}"},
		{"a byte order mark is nothing", "\ufeffa: b", `{"a":"b"}`},
		{"and nothing is no document", "\n# x\n", ""},
	} {
		got, err := asJSON(c.text)
		if assert.NoError(t, err, "%s:\n%s", c.law, c.text) {
			assert.Equal(t, c.want, got, "%s:\n%s", c.law, c.text)
		}
	}
}

func TestYAMLRefusesWhatItDoesNotUnderstand(t *testing.T) {
	deep := strings.Repeat("[", 200)
	for _, c := range []struct{ law, text, want string }{
		{"anchors", "a: 1\nb: &x 2", "line 2: anchors and aliases are not read here"},
		{"aliases", "b: *x", "line 1: anchors and aliases"},
		{"tags", "a: !!str 1", "line 1: tags are not read here"},
		{"merge keys", "a:\n  <<: {b: c}", "line 2: merge keys"},
		{"complex keys", "? a\n: b", "line 1: complex keys"},
		{"directives", "%YAML 1.2\n---\na: b", "line 1: directives"},
		{"tabs that indent", "a:\n\tb: c", "line 2: a tab in the indentation"},
		{"tabs behind a dash", "-\ta", `line 1: "-" cannot begin a value`},
		{"text over several lines", "a: b\n  c\n", "line 2: indented by 2, while what it follows"},
		{"quotes over several lines", "a: \"b\n  c\"", "line 1: a string in quotes must end on its line"},
		{"brackets over several lines", "a: [b,\n  c]", "line 1: a value is missing; one in brackets"},
		{"half a map", "a: b\nc\n", `line 2: "c" is no entry of the map it stands in`},
		{"a list after a map", "a: b\n- c\n", `line 2: "- c" belongs to nothing`},
		{"steps in between", "a:\n    b: c\n  d: e", "line 3: indented by 2"},
		{"keys that come twice", "a: 1\nb: 2\na: 3", `line 3: the key "a" comes twice`},
		{"in brackets, too", "a: {b: 1, b: 2}", `line 1: the key "b" comes twice`},
		{"two colons", "a: b: c", `line 1: ": c" is left over`},
		{"a list behind a key", "a: - b", "line 1: a list begins on a line of its own"},
		{"words that mean two things", "a: yes", "line 1: yes is a boolean to some"},
		{"as keys, too", "on: a", "line 1: on is a boolean to some"},
		{"numbers that mean two things", "a: 089", "line 1: 089 is a number to some"},
		{"with underscores", "a: 1_000", "line 1: 1_000 is a number to some"},
		{"numbers that JSON has not", "a: -.inf", "line 1: JSON has no number for -.inf"},
		{"numbers beyond all", "a: 1e999", "line 1: 1e999 is too large"},
		{"numbers as keys that are written otherwise", "0x10: a", "line 1: the key 0x10 is a number"},
		{"unknown escapes", `a: "\q"`, `line 1: \q is no escape sequence`},
		{"half a character", `a: "\ud800"`, `line 1: \ud800 is no character`},
		{"what begins like something else", "a: @b", `line 1: "@" cannot begin a value`},
		{"text before its lines", "a: | b\n  c", `line 1: "b" is left over`},
		{"unknown marks", "a: |x\n  c", "line 1: |x is no beginning of a text"},
		{"a key of nothing", "null: a", "line 1: null is no key"},
		{"something behind the dashes", "--- a: b", "line 1: a document begins on the line after"},
		{"control characters", "a: b\n\x00", "line 2: the character U+0000"},
		{"half a rune", "a: \xff", "line 1: the character U+FFFD"},
		{"depth", "a: " + deep, "line 1: nested more than 100 deep"},
		{"depth on several lines", strings.Repeat("- ", 200) + "a", "line 1: nested more than 100 deep"},
		{"text away from its key", "a:\n  |\n  x", "line 2: | stands behind the key or the dash"},
		{"text whose beginning is unclear", "a: |\n    \n  x\n", "line 3: a blank line before this one"},
		{"text whose end is unclear", "a: |\n  x\n   ", "line 3: spaces at the end of the file"},
		{"a backslash at the end", `a: "b\`, "line 1: a string in quotes must end"},
		{"large numbers in other bases", "a: 0xfffffffffffffffff", "line 1: 0xfffffffffffffffff is too"},
		{"brackets without commas", "a: [\"b\" c]", `line 1: expected , or ] at "c]"`},
		{"keys without colons", "a: {b}", `line 1: "b" is no key`},
		{"quoted ones, too", `a: {"b"}`, `line 1: the key "b" has no colon`},
		{"values that are none", "a: {b: *c}", "line 1: anchors and aliases"},
		{"items that are none", "- a\n- *b", "line 2: anchors and aliases"},
		{"broken JSON", "{\"a\":\n 1,\n}", "line 3: invalid character '}'"},
		{"half of JSON", "\n{\"a\":\n", "line 2: unexpected EOF"},
	} {
		_, err := asJSON(c.text)
		if assert.Error(t, err, "%s:\n%s", c.law, c.text) {
			assert.Contains(t, err.Error(), c.want, "%s:\n%s", c.law, c.text)
		}
	}
}

// Whatever comes in, the answer is an error that names a line of it, or documents that JSON can
// say, and that mean the same when they are read as such.
func FuzzReadDocuments(f *testing.F) {
	f.Add("a:\n- b: |\n    c\n  d: {e: [1, \"f\"]}\n---\n'g': >-\n  h\n\n  i\n")
	f.Add("{\"a\": 1}\n{\"b\": [true, null]}\n---\nc: 0644 # d\n...\n")
	f.Fuzz(func(t *testing.T, text string) {
		documents, err := readDocuments(text)
		if e, ok := err.(*lineError); ok {
			last := 1 + strings.Count(text, "\n")
			assert.True(t, e.line >= 1 && e.line <= last, "line %d of %d", e.line, last)
			return
		}
		require.NoError(t, err, "an error names a line")
		for _, d := range documents {
			b, err := json.Marshal(map[string]any{"v": d.value})
			require.NoError(t, err)
			again, err := readDocuments(string(b))
			if err == nil { // U+007F and the like are no text for us
				assert.Equal(t, fmt.Sprint([]document{{1, map[string]any{"v": d.value}}}),
					fmt.Sprint(again))
			}
		}
	})
}

// JSON on one line is YAML.
func FuzzJSONIsYAML(f *testing.F) {
	f.Add(`{"a":[1,-2.5e3,"b\n",null,true,{"c":{}}],"":"\u0041"}`)
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if d.Decode(&v) != nil || checkCharacters(text) != nil {
			return
		}
		b, err := json.Marshal(v)
		require.NoError(t, err)
		if checkCharacters(string(b)) != nil || strings.Count(string(b), "[")+
			strings.Count(string(b), "{") > maxDepth {
			return
		}
		documents, err := readDocuments("v: " + string(b))
		if err != nil {
			assert.Contains(t, err.Error(), "too large", string(b))
			return
		}
		got, err := json.Marshal(documents[0].value.(map[string]any)["v"])
		require.NoError(t, err)
		assert.JSONEq(t, string(b), string(got))
	})
}
