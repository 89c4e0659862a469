// Benchlab serves a lab of boards; see package command.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"utfbench/internal/document"
	"utfbench/lab/command"
)

// release and commit are set by the linker: -ldflags "-X main.release=1.0.0 -X main.commit=...".
var release, commit = "", ""

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE) // a closed pipe is then a write error
	context.AfterFunc(ctx, stop)   // a second signal ends the program at once
	os.Exit(command.Run(ctx, document.Build{Release: release, Commit: commit}, os.Args[1:], os.Stdout, os.Stderr))
}
