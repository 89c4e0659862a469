//go:build race

package driver

// apart is how far the faults lie apart in the list that are tried: the race detector makes each take ten times as long.
const apart = 17
