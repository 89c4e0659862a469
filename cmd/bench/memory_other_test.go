//go:build !linux

package main

// weighed runs the command; only Linux measures its memory.
func weighed(command func()) { command() }

// fakePi does nothing, since the transport gpio needs Linux.
func fakePi() {}
