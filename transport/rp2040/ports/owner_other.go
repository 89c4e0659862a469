//go:build !unix

package ports

import "errors"

func groupOf(string) (int, bool, error) { return 0, false, errors.ErrUnsupported }
