//go:build !race

package fakeapi

// modelRuns times modelSteps are 20,000 steps; make check plays 100,000.
const modelRuns = 20

const underRace = false
