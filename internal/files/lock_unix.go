//go:build unix

package files

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Lock locks an open file until it is closed or the process ends, and reports whether it was free within 200 ms: a
// process that starts another may keep a file open that it has closed, until the other runs its program. Libraries
// either wait for ever, or open the path themselves without giving access to the file.
func Lock(f *os.File) (bool, error) {
	for tries := 0; ; tries++ {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case err == nil:
			return true, nil
		case !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR):
			return false, err
		case tries == 20:
			return false, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
}
