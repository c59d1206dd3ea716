package reflector_test

import (
	"fmt"

	"example.com/watchglass/reflector"
)

// A table can be printed: here is each outcome of a watch that leads to a pause.
func ExampleTable() {
	for _, row := range reflector.Table(true) {
		if row.From == reflector.Watching && row.Do == reflector.BackOff {
			fmt.Println(row)
		}
	}
	// Output:
	// watching: cut short, back off → opening watch
	// watching: busy, back off → opening watch
	// watching: very short, back off → listing
	// watching: expired, back off → listing
	// watching: expired again, back off → listing latest
	// watching: version too large, back off → listing
	// watching: failed, back off → listing
}
