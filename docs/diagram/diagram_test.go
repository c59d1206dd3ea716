package diagram

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

var edges = []Edge{
	{"asleep", "bell", "go on", "wide awake"},
	{"asleep", "light", "back off, ask for the latest", "wide awake"},
	{"wide awake", "yawn", "ask for the latest", "asleep"},
}

func TestMermaid(t *testing.T) {
	assert.Equal(t, `stateDiagram-v2
    Asleep : asleep
    WideAwake : wide awake
    [*] --> Asleep
    Asleep --> WideAwake : bell, light (latest)*
    WideAwake --> Asleep : yawn (latest)
`, Mermaid(edges), "outcomes that lead to the same state share an arrow")
}

func TestTable(t *testing.T) {
	assert.Equal(t, `in state        upon           do                            and enter
asleep          bell           go on                         wide awake
                light          back off, ask for the latest  wide awake
wide awake      yawn           ask for the latest            asleep
`, Table(edges), "each edge has a line, and each state is written once")
}
