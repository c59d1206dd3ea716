package verify

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"example.com/watchglass/docs/tools/story"
)

const (
	followed  = "a story has at most 12 steps, and says why before each state"
	numbered  = "stories are numbered, and go test -v shows them first"
	templates = "the template of a stage lists every command of its stories"
)

func checkStories(t *tree, report report) {
	for _, name := range t.stories() {
		steps, err := story.Parse(t.files[name])
		if err != nil || len(steps) > 12 {
			report(name, 0, "%d steps; %v", len(steps), err)
		}
		said := false // since the last loud step; set-up in between may carry the prose
		for _, step := range steps {
			said = said || strings.TrimSpace(strings.Join(step.Prose, "")) != ""
			if step.Loud && !said {
				report(name, step.Line, "no prose says why before %s", step.Command.Text)
			}
			said = said && !step.Loud
		}
	}
}

// storiesByPackage returns the stories by their packages.
func (t *tree) storiesByPackage() map[string][]string {
	stories := map[string][]string{}
	for _, name := range t.stories() {
		if dir, file := path.Split(name); path.Base(dir) == "testdata" {
			pkg := path.Dir(path.Clean(dir))
			stories[pkg] = append(stories[pkg], file)
		}
	}
	return stories
}

// checkNumbers expects 01_ or 1_, so that files stand in the order in which to read them. go test
// runs the tests of a package before those of its _test package, and both by file name.
func checkNumbers(t *tree, report report) {
	for dir, stories := range t.storiesByPackage() {
		for i, name := range stories {
			number := fmt.Sprintf("%0*d_", len(fmt.Sprint(len(stories))), i+1)
			if !strings.HasPrefix(name, number) {
				report(dir, 0, "story %d of %d is %s", i+1, len(stories), name)
			}
		}
		var inside, outside []string
		for _, f := range t.goFiles {
			for i := 0; f.test && f.dir == dir && i < len(f.ast.Decls); i++ {
				name := strings.Join(declares(f.ast.Decls[i]), "")
				switch {
				case !strings.HasPrefix(name, "Test") || name == "TestMain":
				case strings.HasSuffix(f.ast.Name.Name, "_test"):
					outside = append(outside, name)
				default:
					inside = append(inside, name)
				}
			}
		}
		if tests := slices.Concat(inside, outside); tests[0] != "TestStories" {
			report(dir, 0, "the first test is %s", tests[0])
		}
	}
}

// checkTemplates reads the templates, of which readers make stories of their own.
func checkTemplates(t *tree, report report) {
	for dir, stories := range t.storiesByPackage() {
		template := dir + "/testdata/story.template"
		var listed []string
		for line := range strings.Lines(t.files[template]) {
			if strings.HasPrefix(line, "//") {
				listed = append(listed, strings.FieldsFunc(line, func(r rune) bool {
					return r != '-' && (r < 'a' || r > 'z')
				})...)
			}
		}
		for _, name := range stories {
			steps, _ := story.Parse(t.files[dir+"/testdata/"+name])
			for _, step := range steps {
				if !slices.Contains(listed, step.Command.Name) && dir != "docs/tools/story" {
					report(template, 0, "%s of %s is not listed", step.Command.Name, name)
				}
			}
		}
	}
}
