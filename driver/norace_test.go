//go:build !race

package driver

// apart is how far the faults lie apart in the list that are tried.
const apart = 1
