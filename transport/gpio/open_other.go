//go:build !linux

package gpio

import (
	"fmt"
	"runtime"
)

// Open needs Linux.
func Open(Config) (*Transport, error) {
	return nil, fmt.Errorf("this bench is built for %s, and GPIO lines are reached on Linux only: run it "+
		"on the Raspberry Pi", runtime.GOOS)
}

// Guard returns false: it has nothing to guard here.
func Guard() bool { return false }
