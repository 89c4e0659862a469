package shmoo

import (
	"context"
	"errors"
)

// shell returns an error: a browser runs no commands.
func shell(context.Context, string) error { return errors.New("a command cannot be run in a browser") }
