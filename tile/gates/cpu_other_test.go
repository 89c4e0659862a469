//go:build !unix

package gates

import "time"

// cpu returns the wall time, since CPU time is unavailable.
func cpu() time.Duration { return time.Duration(time.Now().UnixNano()) }
