//go:build race

package fakeapi

// modelRuns are fewer under the race detector, which makes each ten times as slow.
const modelRuns = 5

// very is how many of something hostile requests have.
const very = 10_000
