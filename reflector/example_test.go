package reflector_test

import (
	"fmt"

	"example.com/watchglass/reflector"
)

// A table can be printed: here is what follows when a watch is over.
func ExampleTable() {
	for _, row := range reflector.Table(true) {
		if row.From == reflector.Watching {
			fmt.Println(row)
		}
	}
	// Output:
	// watching: ended → opening watch
	// watching: busy, back off → opening watch
	// watching: expired, back off → listing
	// watching: expired again, back off, ask for the latest → listing
	// watching: failed, back off → listing
}
