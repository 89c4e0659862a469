package main

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

	"github.com/spf13/cobra"

	"utfbench/internal/crash"
	"utfbench/internal/failure"
	"utfbench/web"
)

func newWeb() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "web [FOLDER]",
		Short: "Serve the page that tests a chip in a browser",
		Long: `web serves the bench as a page to the browsers of this machine. The page tests a demo board over
Web Serial, in Chrome and Edge, or a chip in memory. scripts/web builds FOLDER, and the archive
bench-web of a release contains it (default: the folder bench-web beside this program). Ctrl-C
ends the server; open pages keep working.`,
		Example: `  bench web
  bench web dist-web --listen 127.0.0.1:8080`,
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return serveWeb(cmd, append(args, "")[0], listen) },
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:7062", "serve at this loopback address, HOST:PORT")
	return cmd
}

// serveWeb serves the page in the folder at a path, or beside the program.
func serveWeb(cmd *cobra.Command, path, listen string) error {
	if path == "" {
		program, err := os.Executable()
		if err != nil {
			return benchFault(err)
		}
		path = filepath.Join(filepath.Dir(program), "bench-web")
	}
	folder := os.DirFS(path)
	if err := web.Check(folder); err != nil {
		return failure.Usagef("bench web %s: %w", path, err)
	}
	l, err := loopback(listen)
	if err != nil {
		return err
	}
	at := "http://" + l.Addr().String() + "/"
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "serving %s; Ctrl-C ends it\n", at); err != nil {
		l.Close()
		return err
	}
	return serve(cmd.Context(), l, web.Handler(folder))
}

// loopback listens at an address that only this machine can reach. Browsers allow serial ports at localhost without
// TLS, and nowhere else.
func loopback(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, failure.Usagef("--listen %q: only loopback addresses are allowed, such as 127.0.0.1:7062; "+
			"for other machines, put FOLDER on a web server with https", address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, benchFault(fmt.Errorf("--listen %s: %w", address, err))
	}
	return l, nil
}

// serve serves until the context ends.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0)}
	served := make(chan error, 1)
	crash.Go(func() { served <- s.Serve(l) })
	select {
	case <-ctx.Done():
		return s.Close()
	case err := <-served:
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return benchFault(err)
	}
}
