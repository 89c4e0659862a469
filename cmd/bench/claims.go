package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/files"
)

// outputFlags are the flags that name a file to be written, of whatever command, where they take a text.
var outputFlags = map[string]files.Mode{
	"json": files.Part, "record": files.Part, "junit": 0, "html": 0, "svg": 0, "png": 0, "csv": 0, "out": 0,
	"sim-vcd": 0, "certificate": files.New,
	"state": 0, "db": 0,
}

// inputFlags are those that name files to be read.
var inputFlags = []string{"file", "resume", "shmoo", "board", "cells"}

// claimFiles refuses a command that would write one file twice, or over what it reads. It is the same for all commands.
func claimFiles(cmd *cobra.Command, args []string) error {
	var c files.Claims
	if cmd.Name() == "merge" && len(args) > 0 {
		if err := c.Output("OUT", args[0], files.New); err != nil {
			return err
		}
		args = args[1:]
	}
	for _, arg := range args {
		if _, err := os.Stat(arg); err != nil {
			continue // a vector's name, or a number
		}
		if err := c.Input("the command", arg); err != nil {
			return err
		}
	}
	for _, name := range inputFlags {
		if err := claimInputs(&c, "--"+name, cmd.Flags().Lookup(name)); err != nil {
			return err
		}
	}
	if err := claimTarget(&c, cmd.Flags().Lookup("transport")); err != nil {
		return err
	}
	var err error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if mode, ok := outputFlags[f.Name]; ok && err == nil && f.Value.Type() == "string" {
			err = c.Output("--"+f.Name, f.Value.String(), mode)
		}
	})
	return err
}

func claimInputs(c *files.Claims, by string, f *pflag.Flag) error {
	if f == nil {
		return nil
	}
	paths := []string{f.Value.String()}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		paths = list.GetSlice()
	}
	for _, path := range paths {
		if err := c.Input(by, path); err != nil {
			return err
		}
	}
	return nil
}

// claimTarget claims the files behind replay: and verilog:.
func claimTarget(c *files.Claims, f *pflag.Flag) error {
	if f == nil {
		return nil
	}
	kind, where, _ := strings.Cut(f.Value.String(), ":")
	if kind != "replay" && kind != "verilog" {
		return nil
	}
	for path := range strings.SplitSeq(where, ",") {
		if err := c.Input("--transport", path); err != nil {
			return err
		}
	}
	return nil
}
