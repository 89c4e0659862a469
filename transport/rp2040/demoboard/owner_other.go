//go:build !unix

package demoboard

import "errors"

func groupOf(string) (int, bool, error) { return 0, false, errors.ErrUnsupported }
