//go:build !linux

package main

// weighed runs the command; how much memory it takes is measured on Linux.
func weighed(command func()) { command() }

// fakePi is for Linux, on which alone the transport gpio works.
func fakePi() {}
