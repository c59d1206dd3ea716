package reflector_test

import (
	"fmt"

	"example.com/watchglass/reflector"
)

// What follows upon what can be printed.
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
