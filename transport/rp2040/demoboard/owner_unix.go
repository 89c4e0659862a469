//go:build unix

package demoboard

import (
	"errors"
	"os"
	"syscall"
)

// groupOf returns a device's group and whether the group may read and write it.
func groupOf(device string) (gid int, groupMay bool, err error) {
	info, err := os.Stat(device)
	if err != nil {
		return 0, false, err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false, errors.ErrUnsupported
	}
	return int(st.Gid), info.Mode()&0o060 == 0o060, nil
}
