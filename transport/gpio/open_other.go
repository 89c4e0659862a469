//go:build !linux

package gpio

import (
	"fmt"
	"runtime"
)

// Open fails: it needs Linux.
func Open(Config) (*Transport, error) {
	return nil, fmt.Errorf("this bench is built for %s, and GPIO lines are reached on Linux only: run it "+
		"on the Raspberry Pi", runtime.GOOS)
}

// RunAsGuard returns false: there is nothing to guard.
func RunAsGuard() bool { return false }
