package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/cmdline"
	"utfbench/internal/files"
	"utfbench/runs/measurement"
	"utfbench/transport/lab"
)

// handsIn holds the flags of a command that hands in its measurements.
type handsIn struct{ not bool }

func (o *handsIn) flags(f *pflag.FlagSet) {
	f.BoolVar(&o.not, "no-history", false, "do not hand it in to the history of the board's lab")
}

// A found is the result of a measuring command.
type found struct {
	kind  string // as package measurement calls it
	file  string // that has the document already; "" for none
	write func(io.Writer) error
}

// handIn hands in a measurement of a lab's board, and prints that. A failure is a note, with the file of the document.
func (o *handsIn) handIn(cmd *cobra.Command, t *target, tell io.Writer, m found) {
	if o.not || dueAt(t) == "" {
		return
	}
	var document bytes.Buffer
	err := m.write(&document)
	if err == nil {
		err = o.give(cmd, t, tell, measured{m.kind, document.Bytes()})
	}
	if err == nil {
		return
	}
	note := fmt.Sprintf("note: the %s is not handed in to the lab: %v", m.kind, err)
	if !errors.As(err, new(*lab.UnfitError)) {
		note += "; " + m.later(document.Bytes())
	}
	fmt.Fprintln(cmd.ErrOrStderr(), note)
}

// give reaches the lab of a target for that.
func (*handsIn) give(cmd *cobra.Command, t *target, tell io.Writer, m measured) error {
	l, err := openLabHistory(cmd, t.Lab.Invitation)
	if err != nil {
		return err
	}
	defer l.conn.Close()
	return m.give(l, tell)
}

// A measured is the document of a measurement, and its name in messages.
type measured struct {
	what     string
	document []byte
}

// give hands it in, and tells what number it has.
func (m *measured) give(l *labHistory, tell io.Writer) error {
	number, had, err := l.HandInMeasurement(m.document)
	switch {
	case err != nil:
		return err
	case had:
		fmt.Fprintf(tell, "%s: the lab has it already, as measurement %d\n", m.what, number)
	default:
		fmt.Fprintf(tell, "%s: handed in, the lab has it as measurement %d\n", m.what, number)
	}
	return nil
}

// later keeps a document for a later time, if no file has it, and says how it is handed in then.
func (m *found) later(document []byte) string {
	path := m.file
	if path == "" || path == files.Standard {
		folder, err := dataFolder()
		if err == nil {
			path = filepath.Join(folder, "measurements", m.kind+"-"+now().Format("20060102T150405Z")+".json")
			err = os.MkdirAll(filepath.Dir(path), 0o700)
		}
		if err == nil {
			err = files.Write(path, document, 0)
		}
		if err != nil {
			return fmt.Sprintf("nor is it kept: %v; --json keeps it in a file, for bench lab hand-in", err)
		}
	}
	return fmt.Sprintf("it is kept, and this hands it in: %s", cmdline.Line("lab", "hand-in", path))
}

// readMeasurement reads the document of a measurement, which is a user's.
func readMeasurement(path string) ([]byte, error) {
	text, err := files.Measurement.Read(path)
	if err != nil {
		return nil, err
	}
	if _, err := measurement.Read(text); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return text, nil
}
