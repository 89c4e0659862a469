package files

import "os"

const nonblock = 0 // a browser has no pipes

// Lock reports that a file is locked: a browser has no other runs.
func Lock(*os.File) (mine bool, err error) { return true, nil }
