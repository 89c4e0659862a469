//go:build !race

package sweep

// everyFault is how many faults one is tried of.
const everyFault = 1
