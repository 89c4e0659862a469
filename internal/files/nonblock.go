//go:build !js

package files

import "syscall"

// nonblock makes opening a pipe succeed without a writer.
const nonblock = syscall.O_NONBLOCK
