package files

import "os"

const nonblock = 0 // a browser has no pipes

// Lock always succeeds, since a browser has no other runs.
func Lock(*os.File) (mine bool, err error) { return true, nil }
