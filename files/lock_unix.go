//go:build unix

package files

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renamesOpen says whether a file that is open can be renamed.
const renamesOpen = true

// Lock locks an open file until it is closed or the process ends. It says whether nobody else has it locked.
func Lock(f *os.File) (bool, error) {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, err
		}
	}
}
