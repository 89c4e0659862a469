package sweep

import (
	"errors"
	"os"

	sys "golang.org/x/sys/windows" // a test of this package has windows of its own
)

// lock locks an open file until it is closed or the process ends. It says whether nobody else has it locked. What is locked is
// a byte far behind the file's end, since Windows lets nobody else read what is.
func lock(f *os.File) (bool, error) {
	err := sys.LockFileEx(sys.Handle(f.Fd()), sys.LOCKFILE_EXCLUSIVE_LOCK|sys.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
		&sys.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, sys.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}
