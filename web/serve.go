//go:build !js

package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"utfbench/internal/failure"
)

// Serve serves the page in the folder at path or, if that is "", in bench-web beside the program. It listens on a
// loopback address until ctx ends, and prints the address.
func Serve(ctx context.Context, out io.Writer, path, listen string) error {
	if path == "" {
		program, err := os.Executable()
		if err != nil {
			return err
		}
		path = filepath.Join(filepath.Dir(program), "bench-web")
	}
	folder := os.DirFS(path)
	if err := Check(folder); err != nil {
		return failure.Usagef("bench web %s: %w", path, err)
	}
	l, err := loopback(listen)
	if err != nil {
		return err
	}
	at := "http://" + l.Addr().String() + "/"
	if _, err := fmt.Fprintf(out, "serving %s; Ctrl-C ends it\n", at); err != nil {
		l.Close()
		return err
	}
	return serve(ctx, l, Handler(folder))
}

// loopback listens on a loopback address, since browsers allow serial ports without TLS only for localhost.
func loopback(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, failure.Usagef("--listen %q: only loopback addresses are allowed, such as 127.0.0.1:7062; "+
			"for other machines, put FOLDER on a web server with https", address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: %w", address, err)
	}
	return l, nil
}

func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0)}
	served := make(chan error, 1)
	failure.Go(func() { served <- s.Serve(l) })
	select {
	case <-ctx.Done():
		return s.Close()
	case err := <-served:
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return err
	}
}
