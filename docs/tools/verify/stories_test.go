package verify

import (
	"fmt"
	"path"
	"regexp"
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

// checkNumbers expects 01_ or 1_, so that files stand in the order in which to read them, and
// TestStories first in the first file of tests: go test runs the tests in that order.
func checkNumbers(t *tree, report report) {
	for dir, stories := range t.storiesByPackage() {
		for i, name := range stories {
			number := fmt.Sprintf("%0*d_", len(fmt.Sprint(len(stories))), i+1)
			if !strings.HasPrefix(name, number) {
				report(dir, 0, "story %d of %d is %s", i+1, len(stories), name)
			}
		}
		for _, f := range t.goFiles {
			first := testFunc.FindString(f.text)
			if !f.test || f.dir != dir || first == "" {
				continue
			}
			if first != "\nfunc TestStories(" {
				report(f.path, 0, "the first test is not TestStories")
			}
			break
		}
	}
}

var testFunc = regexp.MustCompile(`\nfunc Test[A-LN-Z]\w+\(`) // not TestMain

// checkTemplates reads the templates, of which readers make stories of their own.
func checkTemplates(t *tree, report report) {
	for dir, stories := range t.storiesByPackage() {
		if strings.HasPrefix(dir, "docs/grow/") {
			continue // the stories of a step are about what it gets wrong, and what it mends
		}
		template := dir + "/testdata/story.template"
		for _, name := range stories {
			steps, _ := story.Parse(t.files[dir+"/testdata/"+name])
			for _, step := range steps {
				listed := regexp.MustCompile(`(?m)^//.*\b` + step.Command.Name + `\b`)
				if !listed.MatchString(t.files[template]) && dir != "docs/tools/story" {
					report(template, 0, "%s of %s is not listed", step.Command.Name, name)
				}
			}
		}
	}
}
