//go:build race

package wiring

// every how many faults one is tried: the race detector makes each take ten times as long.
const every = 29
