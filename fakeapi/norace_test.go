//go:build !race

package fakeapi

// modelRuns times modelSteps are 20,000 steps; make check plays 100,000.
const modelRuns = 20

// very is how many of something hostile requests have: a body has room for so many.
const very = 30_000
