package diagram

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

var edges = []Edge{
	{"asleep", "bell", "go on", "wide awake"},
	{"asleep", "light", "go on", "wide awake"},
	{"asleep", "end", "go on", "over"},
	{"wide awake", "yawn", "wait", "asleep"},
	{"wide awake", "end", "go on", "over"},
}

func TestMermaid(t *testing.T) {
	assert.Equal(t, `stateDiagram-v2
    Asleep : asleep
    WideAwake : wide awake
    [*] --> Asleep
    Asleep --> WideAwake : bell, light
    WideAwake --> Asleep : yawn (wait)
`, Mermaid(edges, "over"), "outcomes share an arrow, and arrows to over are left out")
}

func TestTable(t *testing.T) {
	assert.Equal(t, `in state              upon               do        and enter
asleep                bell               go on     wide awake
                      light              go on     wide awake
                      end                go on     over
wide awake            yawn               wait      asleep
                      end                go on     over
`, Table(edges), "each edge has a line, and each state is written once")
}
