//go:build !js

package files

import "syscall"

// nonblock has a pipe opened that nobody has open for writing.
const nonblock = syscall.O_NONBLOCK
