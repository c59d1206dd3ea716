//go:build !race

package fakeapi

// modelRuns times modelSteps are 5,000 steps; make check plays 100,000.
const modelRuns = 5

const underRace = false
