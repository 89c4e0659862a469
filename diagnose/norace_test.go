//go:build !race

package diagnose

// apart is how far the faults lie apart in the list that TestTable tries.
const apart = 80

// slipsApart is the same of the slips that TestSlips tries.
const slipsApart = 40
