package timing

import (
	"context"
	"errors"
)

// Shell fails.
func Shell(context.Context, string) error { return errors.New("a command cannot be run in a browser") }
