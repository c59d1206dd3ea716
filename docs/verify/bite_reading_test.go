package verify

const reading = "the short reading list follows the long one"

var readingBites = []bite{
	{reading, "a part of the guide in its order is right",
		readingLists("1. [a](x/a.go) — first.\n2. [`c`](x/c.go),\n   [`d`](x/d.go)"), nil},
	{reading, "another order is found", readingLists("1. [a](x/b.go)\n2. [c](x/a.go)"),
		[]string{"README.md:2: x/a.go does not come next in the reading guide of docs/0-the-map.md"}},
	{reading, "a file that the guide does not name is found", readingLists("1. [a](x/z.go)"),
		[]string{"README.md:1: x/z.go does not come next in the reading guide of docs/0-the-map.md"}},
	{reading, "other links are not read", readingLists("Read [b](x/b.go).\n\n1. [a](x/a.go), [x](x/doc.md)"), nil},
}

func readingLists(short string) map[string]string {
	return map[string]string{
		"README.md": short + "\n",
		"docs/0-the-map.md": "# Map\n\n[z](../x/z.go)\n\n| | files |\n|---|---|\n" +
			"| 1 | [a](../x/a.go), [b](../x/b.go) |\n| 2 | [`c`](../x/c.go), [`d`](../x/d.go) |\n",
	}
}
