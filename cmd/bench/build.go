package main

import "utfbench/internal/document"

// release is the version of a released binary, and commit its source: -ldflags "-X main.release=1.0.0 -X
// main.commit=...".
var release, commit = "", ""

func version() string     { return document.Build{Release: release, Commit: commit}.Version() }
func versionLine() string { return document.Build{Release: release, Commit: commit}.Line("bench") }
