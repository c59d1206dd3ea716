package story

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A Program is what a model test plays on the model and on the real thing. Each byte is one choice.
// History says what was made of them so far; a failure shows it.
type Program struct {
	choices []byte
	History []string
}

// FuzzModel plays programs of so many bytes; longer ones only repeat themselves. go test plays as
// many random ones as random says, and those in also, which chance would seldom make.
func FuzzModel(f *testing.F, random, bytes int, play func(*testing.T, *Program), also ...[]byte) {
	f.Add([]byte{}) // stands for the random ones
	for _, program := range also {
		f.Add(program)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > 0 {
			play(t, &Program{choices: choices[:min(len(choices), bytes)]})
			return
		}
		for seed := range random {
			choices := make([]byte, bytes)
			_, _ = rand.NewChaCha8([32]byte{byte(seed)}).Read(choices)
			play(t, &Program{choices: choices})
		}
	})
}

// Over reports whether all choices were made.
func (p *Program) Over() bool { return len(p.choices) == 0 }

// Choose returns a number below n, 0 when the program is over.
func (p *Program) Choose(n int) int {
	if p.Over() {
		return 0
	}
	choice := int(p.choices[0])
	p.choices = p.choices[1:]
	return choice % n
}

// Note appends a line to the history.
func (p *Program) Note(format string, args ...any) {
	p.History = append(p.History, fmt.Sprintf(format, args...))
}
