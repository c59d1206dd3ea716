//go:build !race

package fakeapi

// modelRuns times modelSteps are 100,000 steps.
const modelRuns = 100

// very is how many of something hostile requests have: a body has room for so many.
const very = 100_000
