//go:build !race

package diagnose

// apart is how far the faults lie apart in the list that TestTable tries.
const apart = 80
