package files

import "os"

// A browser has no pipes and no other runs.
const (
	nonblock    = 0
	renamesOpen = true
)

// Lock reports that a file is locked.
func Lock(*os.File) (mine bool, err error) { return true, nil }
