package verify

const programs = "programs compile as they stand"

var programBites = []bite{
	{programs, "a program that compiles is fine",
		saying("<!-- program: go run main.go -->\n```go\npackage main\n\nfunc main() {}\n```"), nil},
	{programs, "a program with a mistake is found",
		saying("<!-- program: go run main.go -->\n```go\npackage main\n\nfunc main() { x }\n```"),
		[]string{"docs/1.md:4: undefined: x"}},
	{programs, "other Go blocks are not vetted", saying("<!-- sketch: theirs -->\n```go\nx\n```"), nil},
}
