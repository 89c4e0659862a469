//go:build race

package diagnose

// apart is how far the faults lie apart in the list that TestTable tries: the race detector makes it ten times slower.
const apart = 700
