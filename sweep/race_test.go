//go:build race

package sweep

// everyFault is how many faults one is tried of: the race detector makes each take ten times as long.
const everyFault = 23
