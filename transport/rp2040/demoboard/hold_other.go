//go:build !unix

package demoboard

import "io"

type nothing struct{}

func (nothing) Close() error { return nil }

// hold does nothing: these systems open a port only once.
func hold(string) (io.Closer, error) { return nothing{}, nil }
