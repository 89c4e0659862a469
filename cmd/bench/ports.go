package main

import (
	"io"

	"github.com/spf13/cobra"

	"utfbench/internal/document"
	"utfbench/transport/rp2040/demoboard"
)

func newPorts() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ports",
		Short: "List the serial ports and what is connected to them",
		Long: `ports lists every serial port with its USB identity, VID:PID:SERIAL, which --port takes. It
opens each for a moment to see whether it can, and sends nothing: bench info asks a board what
it is.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := demoboard.Ports()
			if err != nil {
				return benchFault(err)
			}
			for i := range list {
				list[i].Try()
			}
			text := func(w io.Writer) error { return demoboard.PortTable(w, list) }
			return write(cmd, asJSON, text, asDocument(struct {
				document.Head
				Ports []demoboard.Port `json:"ports"`
			}{head(), append([]demoboard.Port{}, list...)}))
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
