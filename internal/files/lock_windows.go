package files

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Lock locks an open file until it is closed or the process ends, and reports whether it was free. It locks a byte far
// beyond the file's end, since Windows makes a locked range unreadable.
func Lock(f *os.File) (bool, error) {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
