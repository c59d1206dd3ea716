package patch

import "fmt"

// How much work one patch may be. Lists make patches expensive: each operation of a JSON
// patch may move a whole list, and each element of a strategic merge patch may merge into
// a list that has to be indexed first. Without limits, a patch of 3 MB could keep a server
// busy for minutes. Patches that people and controllers send stay far below these limits.
const (
	// maxMoved is how many list elements a JSON patch may move when it inserts or removes
	// others: about 1 GB of memory is copied then.
	maxMoved = 1 << 26
	// maxMerged is how many bytes of keys (see weight) a strategic merge patch may look at
	// in the object that it changes. Bytes are counted and not elements, because one key
	// may be nearly as large as the object. An object that can be stored has fewer; only a
	// patch that names the same element again and again looks at the same keys repeatedly.
	maxMerged = 1 << 23
)

// What the two kinds of patches spend, for messages.
const (
	moves  = "moves more than %d list elements"
	merges = "looks at more than %d bytes of the keys of list elements"
)

// A LimitError says that a patch is too much work.
type LimitError struct{ text string }

// Error says which limit the patch exceeds, and what the limit is.
func (e *LimitError) Error() string { return e.text }

// A budget counts work.
type budget struct {
	spent, most int
	what        string // moves or merges
}

// spend counts n more, and returns a *LimitError if the sum is above the limit.
func (b *budget) spend(n int) error {
	if b.spent += n; b.spent > b.most {
		return &LimitError{fmt.Sprintf("the patch "+b.what, b.most)}
	}
	return nil
}
