package cli

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// FileFlags are the flags of a program that name files, in any command.
type FileFlags struct {
	Outputs map[string]files.Mode // string flags that name an output
	Inputs  []string              // flags that name inputs
}

// Claim adds the files on a command line to c. It ignores arguments that are not files, such as numbers.
func (of FileFlags) Claim(c *files.Claims, flags *pflag.FlagSet, args []string) error {
	for _, arg := range args {
		if _, err := os.Stat(arg); err != nil {
			continue
		}
		if err := c.Input("the command", arg); err != nil {
			return err
		}
	}
	for _, name := range of.Inputs {
		if err := claimInputs(c, "--"+name, flags.Lookup(name)); err != nil {
			return err
		}
	}
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		if mode, ok := of.Outputs[f.Name]; ok && err == nil && f.Value.Type() == "string" {
			err = c.Output("--"+f.Name, f.Value.String(), mode)
		}
	})
	return err
}

// claimInputs claims a flag's values, and the files in one such as FILE.pack:NAME or gates:FILE,FILE.
func claimInputs(c *files.Claims, by string, f *pflag.Flag) error {
	for _, value := range Values(f) {
		pack, list, _ := strings.Cut(value, ":")
		for _, path := range append(strings.Split(list, ","), pack, value) {
			if _, err := os.Stat(path); err != nil {
				continue
			}
			if err := c.Input(by, path); err != nil {
				return err
			}
		}
	}
	return nil
}

// NotEmpty rejects file flags, and other given flags, with an empty value.
func (of *FileFlags) NotEmpty(flags *pflag.FlagSet, others ...string) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		_, output := of.Outputs[f.Name]
		empty := f.Value.String() == "" || f.Value.String() == "[]"
		if empty && (output || slices.Contains(of.Inputs, f.Name) || slices.Contains(others, f.Name)) {
			err = failure.Usagef("--%s is empty: give it a value, or leave it out", f.Name)
		}
	})
	return err
}
