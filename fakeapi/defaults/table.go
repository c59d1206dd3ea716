package defaults

import (
	"cmp"
	_ "embed"
	"strings"

	"example.com/watchglass/fakeapi/object"
)

//go:embed presets.txt
var presetsText string

// presets maps a type's qualified name to its defaults, in the order in which they are filled in.
var presets = readPresets(presetsText)

// readPresets reads the table in presets.txt, which says how it is written.
func readPresets(text string) map[string][]preset {
	all := map[string][]preset{}
	name := "" // of the type that the lines are about
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case len(words) == 1:
			name = words[0]
		case strings.HasPrefix(words[1], "$"):
			for _, p := range all[words[1]] {
				p.path = words[0] + p.path
				all[name] = append(all[name], p)
			}
		default:
			all[name] = append(all[name], readPreset(words))
		}
	}
	return all
}

// readPreset reads a line of the table: a path, a default, and the condition for it.
func readPreset(words []string) preset {
	p := preset{path: words[0]}
	if len(words) > 2 {
		p.beside, p.is = words[2], words[3:]
	}
	if field, ok := strings.CutPrefix(words[1], "="); ok {
		p.value = func(holder object.Tree) any { return holder[field] }
	} else if words[1] == "(pullPolicy)" {
		p.value = imagePullPolicy
	} else {
		t, err := object.DecodeTree([]byte(`{"value":` + words[1] + `}`))
		if err != nil {
			panic(err)
		}
		p.value = t["value"]
	}
	return p
}

// imagePullPolicy returns Always for an image without a digest or a tag other than latest:
// its name may stand for another image tomorrow.
func imagePullPolicy(container object.Tree) any {
	image, _ := container["image"].(string)
	name, _, hasDigest := strings.Cut(image, "@")
	_, tag, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ":")
	if !hasDigest && cmp.Or(tag, "latest") == "latest" {
		return "Always"
	}
	return "IfNotPresent"
}
