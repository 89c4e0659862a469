package timing

import (
	"context"
	"errors"
)

// RunShell fails.
func RunShell(context.Context, string) error {
	return errors.New("a command cannot be run in a browser")
}
