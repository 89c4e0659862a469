//go:build unix

package gates

import (
	"syscall"
	"time"
)

// cpu returns the CPU time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
