package failure

import (
	"context"
	"runtime"
	"sync/atomic"
)

// RunInGroups calls do for groups of at most size elements, on several goroutines. It stops at an error of do or ctx.
func RunInGroups[T any](ctx context.Context, all []T, size int, do func(some []T) error) error {
	var next atomic.Int64
	var wait Group
	var failed atomic.Pointer[error]
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for ctx.Err() == nil && failed.Load() == nil {
				at := int(next.Add(int64(size))) - size
				if at >= len(all) {
					return
				}
				if err := do(all[at:min(at+size, len(all))]); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	wait.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return ctx.Err()
}
