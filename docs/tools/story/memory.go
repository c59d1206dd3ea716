package story

import "runtime"

// Heap returns how many bytes are reachable.
func Heap() int {
	runtime.GC()
	runtime.GC() // the second empties the pools that the first has set aside
	return int(memory().HeapAlloc)
}

// Allocated returns how many bytes all goroutines have allocated so far.
func Allocated() int { return int(memory().TotalAlloc) }

func memory() (m runtime.MemStats) {
	runtime.ReadMemStats(&m)
	return m
}
