//go:build race

package fakeapi

// modelRuns are fewer under the race detector, which makes each ten times as slow.
const modelRuns = 5
