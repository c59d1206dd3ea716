//go:build race

package fakeapi

// modelRuns are fewer under the race detector, which makes each ten times as slow.
const modelRuns = 1

// underRace: a sync.Pool forgets some of what is put into it, so that more is allocated.
const underRace = true
