package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/files"
	"utfbench/sweep"
)

func newSweepMerge() *cobra.Command {
	force := false
	cmd := &cobra.Command{
		Use:   "merge OUT CERTIFICATE...",
		Short: "Merge the certificates of all shards",
		Long: `merge joins the certificates of all shards of a sweep. When one bench and one chip made them,
the result is to the byte the one that a sweep in one go leaves.`,
		Example: `  bench sweep merge chip.cert 1.cert 2.cert 3.cert`,
		Args:    takes(2, many),
		RunE: func(cmd *cobra.Command, args []string) error {
			whole, err := mergeCertificates(args[0], args[1:], force)
			if err == nil {
				fmt.Fprintln(cmd.OutOrStdout(), whole)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing certificate")
	return cmd
}

func mergeCertificates(to string, paths []string, force bool) (*sweep.Certificate, error) {
	var shards []*sweep.Certificate
	for _, path := range paths {
		c, err := sweep.ReadFile(path)
		if err != nil {
			return nil, err
		}
		shards = append(shards, c)
	}
	whole, err := sweep.Merge(shards)
	if err != nil {
		return nil, fmt.Errorf("these certificates do not make a whole: %w", err)
	}
	err = files.Write(to, whole.Text(), sweep.CertificateMode(force))
	if errors.Is(err, files.ErrThere) {
		return nil, fmt.Errorf("%w: name another file, or give --force to replace it", err)
	}
	if err != nil {
		return nil, benchFault(err)
	}
	return whole, nil
}
