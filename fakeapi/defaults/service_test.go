package defaults

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAddressesAreReusedAfterAllOthers(t *testing.T) {
	d := &Defaults{}
	d.given.Store(1<<20 - 256 - 2)
	assert.Equal(t, "10.96.1.0", d.next(), "the first address follows the last")
	d.given.Store(1<<20 - 256 - 3)
	assert.Equal(t, "10.111.255.254", d.next(), "no service gets the broadcast address")
}
