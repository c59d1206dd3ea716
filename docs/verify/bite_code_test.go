package verify

import "strings"

const (
	imports  = "packages import only what they may"
	rings    = "the rings are alike"
	module   = "only testify is required"
	top      = "the top level is for packages"
	files    = "a file is one idea"
	funcs    = "a function fits on a screen"
	docs     = "every package has a doc"
	comments = "what is exported is explained"
)

// importing is a file that imports one package.
func importing(file, what string) map[string]string {
	dir, _, _ := strings.Cut(file, "/")
	return map[string]string{file: "package " + dir + "\n\nimport _ \"" + what + "\"\n"}
}

var importBites = []bite{
	{imports, "a stage may import the root", importing("indexer/x.go", modulePath), nil},
	{imports, "a stage may not import a stage", importing("indexer/x.go", modulePath+"/deltafifo"),
		[]string{"indexer/x.go:3: indexer may not import example.com/watchglass/deltafifo"}},
	{imports, "the root imports nothing of ours", map[string]string{
		"x.go": "package watchglass\n\nimport _ \"example.com/watchglass/indexer\"\n"},
		[]string{"x.go:3: . may not import example.com/watchglass/indexer"}},
	{imports, "informer may import the stages",
		importing("informer/x.go", modulePath+"/processor"), nil},
	{imports, "informer may not import fakeapi", importing("informer/x.go", modulePath+"/fakeapi"),
		[]string{"informer/x.go:3: informer may not import example.com/watchglass/fakeapi"}},
	{imports, "informer's tests may import fakeapi",
		importing("informer/x_test.go", modulePath+"/fakeapi"), nil},
	{imports, "fakeapi may not import the root package",
		importing("fakeapi/x.go", modulePath),
		[]string{"fakeapi/x.go:3: fakeapi may not import example.com/watchglass"}},
	{imports, "the workqueue imports none of our packages",
		importing("informer/workqueue/x.go", modulePath),
		[]string{"informer/workqueue/x.go:3: informer/workqueue may not import example.com/watchglass"}},
	{imports, "only tests may import docs/story", importing("informer/x.go", modulePath+"/docs/story"),
		[]string{"informer/x.go:3: informer may not import example.com/watchglass/docs/story"}},
	{imports, "tests may import docs/story",
		importing("informer/x_test.go", modulePath+"/docs/story"), nil},
	{imports, "tests may not import other packages of docs",
		importing("informer/x_test.go", modulePath+"/docs/tour"),
		[]string{"informer/x_test.go:3: informer may not import example.com/watchglass/docs/tour"}},
	{imports, "docs may import everything", importing("docs/tour/x.go", modulePath+"/fakeapi"), nil},
	{imports, "a new package needs a row", importing("sockets/x.go", modulePath),
		[]string{"sockets/x.go:3: mayImport has no row for sockets"}},
	{imports, "code may not import testify", importing("indexer/x.go", testify+"/assert"),
		[]string{"indexer/x.go:3: testify is for test files"}},
	{imports, "tests may import testify", importing("indexer/x_test.go", testify+"/assert"), nil},
	{imports, "files in testdata are not checked", map[string]string{
		"indexer/testdata/x.go": "package x\n\nimport _ \"k8s.io/klog\"\n"}, nil},
	{imports, "another module is found",
		importing("indexer/x_test.go", "k8s.io/client-go/tools/cache"),
		[]string{"indexer/x_test.go:3: k8s.io/client-go/tools/cache is neither ours nor " +
			"the standard library's"}},

	{rings, "copies that are equal but for their package are fine", map[string]string{
		"deltafifo/ring.go": "package deltafifo\n\ntype ring int\n",
		"processor/ring.go": "package processor\n\ntype ring int\n"}, nil},
	{rings, "a copy that differs is found", map[string]string{
		"deltafifo/ring.go": "package deltafifo\n\ntype ring int\n",
		"processor/ring.go": "package processor\n\ntype ring uint\n"},
		[]string{"processor/ring.go: differs from deltafifo/ring.go"}},

	{module, "a second requirement is found", map[string]string{"go.mod": "module " + modulePath +
		"\n\nrequire (\n\tgithub.com/stretchr/testify v1.12.1\n\tgolang.org/x/sync v0.9.0\n)\n\ngo 1.26\n"},
		[]string{`go.mod:5: "require golang.org/x/sync v0.9.0" has no place here`}},
	{module, "a Kubernetes module is found even where it is indirect", map[string]string{
		"go.mod": "module " + modulePath + "\n\nrequire k8s.io/klog/v2 v2.1.0 // indirect\n",
		"go.sum": "a v1 h1:x\nsigs.k8s.io/yaml v1 h1:x\n"},
		[]string{"go.mod:3: a Kubernetes module", "go.sum:2: a Kubernetes module"}},
	{module, "a replacement and a tool are found", map[string]string{
		"go.mod": "module " + modulePath + "\n\nreplace a => ../b\n\ntool (\n\tc/d\n)\n"},
		[]string{`go.mod:3: "replace a => ../b" has no place here`,
			`go.mod:6: "tool c/d" has no place here`}},
	{module, "another name of the module is found",
		map[string]string{"go.mod": "module example.com/other\n"},
		[]string{"go.mod:1: the module is not " + modulePath}},

	{top, "another folder is found, once", map[string]string{"pkg/a/x.go": "package a\n", "pkg/y": "y\n"},
		[]string{"pkg: this name is not in topLevel"}},
	{top, "a stray file is found", map[string]string{"notes.txt": "later\n"},
		[]string{"notes.txt: this name is not in topLevel"}},
	{top, "Go files of the root package are allowed",
		map[string]string{"key_test.go": "package watchglass\n"}, nil},
	{top, "files that git ignores are not checked",
		map[string]string{".gitignore": "# editors\n.idea/\n*.out\n",
			".idea/x.xml": "x", "cover.out": "x", ".git/config": "x"}, nil},
}

// long is a Go file with a function of this many lines between the braces.
func long(lines int) string {
	return "package deltafifo\n\nfunc long() {\n" + strings.Repeat("\tlong()\n", lines) + "}\n"
}

func nested(body string) map[string]string {
	return map[string]string{"deltafifo/x.go": "package deltafifo\n\nfunc deep() {\n" + body + "}\n"}
}

func declaring(code string) map[string]string {
	return map[string]string{"deltafifo/x.go": "package deltafifo\n\n" + code + "\n"}
}

var shapeBites = []bite{
	{files, "300 lines are allowed", map[string]string{"deltafifo/x.go": long(296)}, nil},
	{files, "301 lines are too many", map[string]string{"deltafifo/x.go": long(297)},
		[]string{"deltafifo/x.go: 301 lines"}},
	{files, "tests may be longer", map[string]string{"deltafifo/x_test.go": long(400)}, nil},
	{files, "100 columns are allowed, however many bytes they have",
		declaring("// " + strings.Repeat("é", 97)), nil},
	{files, "101 columns are too many", declaring("// " + strings.Repeat("e", 98)),
		[]string{"deltafifo/x.go:3: 101 columns"}},

	{funcs, "60 lines are allowed", map[string]string{"deltafifo/x.go": long(58)}, nil},
	{funcs, "61 lines are too many", map[string]string{"deltafifo/x.go": long(59)},
		[]string{"deltafifo/x.go:3: long has 61 lines"}},
	{funcs, "nesting four deep is allowed", nested("for {\nif a {\nswitch {\ncase b:\n" +
		"func() {\nx()\n}()\n}\n}\n}\n"), nil},
	{funcs, "nesting five deep is too much",
		nested("for {\nif a {\nswitch {\ncase b:\nselect {\ndefault:\n" +
			"func() {\nx()\n}()\n}\n}\n}\n}\n"), []string{"deltafifo/x.go:3: deep nests 5 deep"}},
	{funcs, "a chain of else if is not deep", nested("if a {\n} else if b {\n} else if c {\n" +
		"} else if d {\n} else if e {\nx()\n}\n"), nil},
	{funcs, "statements in an else are nested",
		nested("if a {\n} else {\nfor {\nfor {\nfor {\nfor {\n}\n}\n}\n}\n}\n"),
		[]string{"deltafifo/x.go:3: deep nests 5 deep"}},

	{docs, "a package without a doc is found", map[string]string{"indexer/x.go": "package indexer\n"},
		[]string{"indexer/x.go:1: package indexer has no doc"}},
	{docs, "a doc that does not begin with the package's name is found", map[string]string{
		"indexer/x.go": "// The store.\npackage indexer\n"},
		[]string{"indexer/x.go:1: the doc does not begin with Package indexer"}},
	{docs, "the doc of a program may begin with any words", map[string]string{
		"docs/tour/x.go": "// The tour shows a journey.\npackage main\n"}, nil},
	{docs, "a folder with only tests needs no doc",
		map[string]string{"docs/x_test.go": "package docs\n"}, nil},

	{comments, "functions, types, methods and values need a comment", declaring(
		"func A() {}\n\ntype B int\n\nfunc (B) C() {}\n\nvar D, e = 1, 2\n\nconst (\n\tF = 1\n)"),
		[]string{"deltafifo/x.go:3: A has no comment", "deltafifo/x.go:5: B has no comment",
			"deltafifo/x.go:7: C has no comment", "deltafifo/x.go:9: D has no comment",
			"deltafifo/x.go:12: F has no comment"}},
	{comments, "a comment on a group of values is for all of them",
		declaring("// Both.\nconst (\n\tF = 1\n\tG = 2\n)\n\nvar (\n\tH = 1 // h\n)"), nil},
	{comments, "a comment on a group of types is not enough",
		declaring("// Both.\ntype (\n\tF int\n)"),
		[]string{"deltafifo/x.go:5: F has no comment"}},
	{comments, "a name that other packages cannot use needs no comment",
		declaring("type b int\n\nfunc (b) C() {}\n\nfunc d() {}"), nil},
	{comments, "a field of an Options says what zero means",
		declaring("// Options are.\ntype Options struct {\n\tA int // zero is ten\n\tB int\n\tc int\n}"),
		[]string{"deltafifo/x.go:6: B has no comment"}},
	{comments, "the comment of the struct may say it for the field",
		declaring("// Options are. B is required.\ntype Options struct {\n\tB int\n}"), nil},
	{comments, "a field that other packages cannot set needs no comment",
		declaring("type myOptions struct {\n\tA int\n}"), nil},
}
