//go:build unix

package files

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renamesOpen reports whether an open file can be renamed.
const renamesOpen = true

// Lock locks an open file until it is closed or the process ends. It says whether nobody else has it locked, and does
// not wait.
//
// Libraries do not fit: those that can be asked without waiting open the path themselves and give nobody the file to
// write to, and a second one that is open for it could not be used on Windows, which keeps from reading and writing
// what another has locked; go's lockedfile only waits.
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
