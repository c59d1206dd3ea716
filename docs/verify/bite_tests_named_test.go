package verify

const testsNamed = "a test that a page names exists"

const popTest = "package deltafifo\n\nimport \"testing\"\n\n// TestPop is a law.\n" +
	"func TestPop(t *testing.T) {}\n"

var testNameBites = []bite{
	{testsNamed, "a test and its subtests may be named", map[string]string{
		"deltafifo/pop_test.go": popTest, "docs/1.md": "# One\n\n`TestPop`, `TestPop/order`, `Testing`\n",
	}, nil},
	{testsNamed, "a test that was renamed is found", saying("`TestPush`"),
		[]string{"docs/1.md:3: there is no TestPush"}},
}
