//go:build unix

package demoboard

import (
	"errors"
	"io"
	"os"
	"syscall"

	"utfbench/internal/files"
)

// hold locks a port against other benches. If it cannot open the port, a later open reports the reason.
func hold(name string) (io.Closer, error) {
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return io.NopCloser(nil), nil
	}
	if mine, err := files.Lock(f); err != nil || mine {
		return f, nil
	}
	f.Close()
	return nil, errors.New("another bench has it open: wait until it ends, or name another port")
}
