package reflector

import "testing"

// BenchmarkEvents measures one event from the watch to the store, without a trace and with one.
func BenchmarkEvents(b *testing.B) {
	seen := 0
	for name, trace := range map[string]*Trace{
		"unwatched": nil,
		"watched":   {Event: func(Event) { seen++ }},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			r, s := eventsOnly(b, b.N, trace)
			b.ResetTimer()
			r.events(s)
		})
	}
}
