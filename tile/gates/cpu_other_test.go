//go:build !unix

package gates

import "time"

// cpu returns a time that passes, where that of a core is not known.
func cpu() time.Duration { return time.Duration(time.Now().UnixNano()) }
