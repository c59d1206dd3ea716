package verify

const (
	dictionary = "the dictionary is complete"
	commands   = "a story that a page names can be run"
)

// dictionaryWith is a chapter 9 whose table of deltafifo has these rows.
func dictionaryWith(rows string) map[string]string {
	return map[string]string{dictionaryPage: "# 9\n\n### deltafifo\n\n| here | there |\n|---|---|\n" + rows}
}

var dictionaryBites = []bite{
	{dictionary, "names and methods in the first cells are enough", dictionaryWith(
		"| `Queue`, `Queue.Pop` | `Other` |\n| `Pop` | – |\n| `ErrClosed`, `ErrEmpty` | – |\n"), nil},
	{dictionary, "a name that is missing is found", dictionaryWith(
		"| `Queue`, `Queue.Pop` | `Pop` |\n| `ErrClosed`, `ErrEmpty` | – |\n"),
		[]string{dictionaryPage + ": Pop of deltafifo is missing"}},
	{dictionary, "a method that is missing is found", dictionaryWith(
		"| `Queue`, `Pop` | – |\n| `ErrClosed`, `ErrEmpty` | – |\n"),
		[]string{dictionaryPage + ": Queue.Pop of deltafifo is missing"}},
	{dictionary, "a name that does not exist any more is found", dictionaryWith(
		"| `Queue`, `Queue.Pop`, `Pop`, `Push` | – |\n| `ErrClosed`, `ErrEmpty` | – |\n"),
		[]string{dictionaryPage + ":7: deltafifo exports no Push"}},
	{dictionary, "a package without a table is found", map[string]string{dictionaryPage: "# 9\n"},
		[]string{dictionaryPage + ": there is no heading ### deltafifo"}},

	{commands, "a story that exists can be named", saying("```sh\n" +
		"go test -v -run 'TestStories/pop_takes_the_oldest_key' ./deltafifo\n```"), nil},
	{commands, "a story that was renamed is found", saying("```sh\n" +
		"go test -v -run 'TestStories/1_pop' ./deltafifo\n```"),
		[]string{"docs/1.md:4: there is no story deltafifo/testdata/1_pop.story"}},
	{commands, "a story of another package is found", saying(
		"`go test -run TestStories/pop_takes_the_oldest_key ./indexer`"),
		[]string{"docs/1.md:3: there is no story indexer/testdata/pop_takes_the_oldest_key.story"}},
}
