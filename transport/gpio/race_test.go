//go:build race

package gpio

// every how many wiring faults one is tried: the race detector makes each take ten times as long.
const every = 29
