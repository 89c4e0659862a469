//go:build race

package diagnose

// apart is how far the faults lie apart in the list that TestTable tries: the race detector makes it ten times slower.
const apart = 700

// slipsApart is the same of the slips that TestSlips tries.
const slipsApart = 600
