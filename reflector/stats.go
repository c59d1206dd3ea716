package reflector

import "maps"

// Stats counts what a [Reflector] has done since it was made. The maps count by outcome, which is
// the reason; an outcome that never occurred has no entry.
type Stats struct {
	Lists          int // collections that the store has taken, the first included
	StreamingLists int // how many of those came as a streaming list

	Relists    map[Outcome]int // lists after a watch, by the outcome of that watch
	Rewatches  map[Outcome]int // watches that continue another one, by the outcome of that one
	Reconnects map[Outcome]int // other lists and watches that failed, by their outcome

	Resyncs int // of the store, failed ones included
	Skipped int // events that could not be used
	Lost    int // events that the store has refused
}

// Stats returns the counts so far. The caller owns the maps.
func (r *Reflector) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stats
	s.Relists = maps.Clone(s.Relists)
	s.Rewatches = maps.Clone(s.Rewatches)
	s.Reconnects = maps.Clone(s.Reconnects)
	return s
}

// count counts one step of the machine.
func (r *Reflector) count(row Transition) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.stats
	watched := row.From == OpeningWatch || row.From == Watching
	switch {
	case row.On == Stop || row.On == Opened:
	case row.On == Listed:
		s.Lists++
	case row.On == Streamed:
		s.Lists++
		s.StreamingLists++
	case row.From == Watching && row.To == OpeningWatch:
		increase(&s.Rewatches, row.On)
	case watched && row.To != OpeningWatch:
		increase(&s.Relists, row.On)
	default:
		increase(&s.Reconnects, row.On)
	}
}

func increase(counts *map[Outcome]int, on Outcome) {
	if *counts == nil {
		*counts = map[Outcome]int{}
	}
	(*counts)[on]++
}

// countOne adds one to n, which is a field of stats.
func (r *Reflector) countOne(n *int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*n++
}
