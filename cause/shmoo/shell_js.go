package shmoo

import (
	"context"
	"errors"
)

func shell(context.Context, string) error { return errors.New("a command cannot be run in a browser") }
