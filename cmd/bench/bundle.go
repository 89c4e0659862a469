package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/driver/plan"
	"utfbench/files"
	"utfbench/record"
	"utfbench/report"
)

func newBundle() *cobra.Command {
	var t target
	var out string
	cmd := &cobra.Command{
		Use:   "bundle RUN",
		Short: "Put all that a bug report needs into one zip",
		Long: `bundle puts the recording of a run into a zip, with its report, the vectors that did not pass, and what bench doctor says.
` + runWords + `

With -t the chip is asked, as bench doctor does; otherwise the zip says what the recording knows of it.`,
		Example: `  bench bundle last -t rp2040
  bench bundle board7.rec --out board7.zip`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := t.runs.recording(args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			if out == "" {
				out = "bench-" + strings.TrimSuffix(filepath.Base(args[0]), ".rec") + ".zip"
			}
			return t.bundle(cmd, c, out)
		},
	}
	t.flags(cmd)
	t.runs.flags(cmd)
	cmd.Flags().StringVar(&out, "out", "", "the zip (default: bench-RUN.zip)")
	return cmd
}

// bundle writes the zip, whole or not at all.
func (t *target) bundle(cmd *cobra.Command, c *chip, path string) error {
	if err := plan.Judgeable(c.Recording); err != nil {
		return err
	}
	state, err := t.state(cmd, c.Recording)
	if err != nil {
		return err
	}
	f, err := files.Create(path, 0)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	defer f.Discard()
	b := &bundle{zip: zip.NewWriter(f), at: time.Now()}
	b.fill(cmd, c, state)
	if err := errors.Join(b.err, b.zip.Close()); err != nil {
		return benchFault(fmt.Errorf("%s: %w", path, err))
	}
	if err := f.Commit(); err != nil {
		return benchFault(err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s:\n%s", path, b.contents)
	return nil
}

// state is what bench doctor says, if a chip was named, or what is known without it.
func (t *target) state(cmd *cobra.Command, rec *record.Recording) ([]byte, error) {
	var text bytes.Buffer
	if !cmd.Flags().Changed("transport") {
		s := rec.Start
		fmt.Fprintf(&text, "bench doctor was not asked, since bench bundle was given no -t. What the recording knows:\n\n"+
			"transport  %s\nboard      %s\ndevice     %s\nchip's ROM %s\nfirmware   %s\nrevision   %s\nhost       %s\nbench      %s\n",
			s.Transport, s.Board, s.Device, s.ROM, s.Firmware, s.Revision, s.Host, s.Bench)
		for _, note := range s.Notes {
			fmt.Fprintf(&text, "note       %s\n", note)
		}
		return text.Bytes(), nil
	}
	fmt.Fprintf(&text, "%s, at %s\n\n", commandLine(append([]string{"doctor"}, targetWords(cmd)...)...), time.Now().UTC().Format(time.RFC3339))
	err := t.doctor(cmd, &text)
	var found *exit
	if err != nil && (!errors.As(err, &found) || cmd.Context().Err() != nil) {
		return nil, err
	}
	if found != nil && found.err != nil {
		fmt.Fprintf(&text, "%v\n", found.err)
	}
	return text.Bytes(), nil
}

// A bundle is a zip that is being filled.
type bundle struct {
	zip      *zip.Writer
	at       time.Time
	contents string // a line for each file
	err      error  // the first; nothing is put in after it
}

// safeName is the last part of a path, as a name that is a file's in the same folder on every system: what could lead to
// another folder, a stream or a device there is replaced.
func safeName(path string) string {
	base := path[strings.LastIndexAny(path, `/\:`)+1:]
	name := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._+-", r) {
			return r
		}
		return '_'
	}, base)
	return strings.TrimRight(name[:min(len(name), 100)], ".") // Windows drops dots at the end
}

// file begins a file of the zip, and says for the README what it is.
func (b *bundle) file(name, what string) io.Writer {
	if b.err != nil {
		return io.Discard
	}
	w, err := b.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: b.at})
	if err != nil {
		b.err = err
		return io.Discard
	}
	b.contents += fmt.Sprintf("  %-14s %s\n", name, what)
	return w
}

func (b *bundle) put(name, what string, text []byte) {
	_, err := b.file(name, what).Write(text)
	b.keep(err)
}

func (b *bundle) keep(err error) {
	if b.err == nil {
		b.err = err
	}
}

// privacy says what a reader learns of whoever sends the zip.
const privacy = `It names the host that the bench ran on, the board's id, and the port and files as they were given to the bench; nothing
else is yours. The first line of events.json, and doctor.txt, show all of it.`

// fill puts everything in.
func (b *bundle) fill(cmd *cobra.Command, c *chip, state []byte) {
	b.recording(c.Recording.Path)
	c.Recording.Path = "run.rec" // the report names it, and where it was is nobody's business
	var text bytes.Buffer
	bad := failing{seen: map[string]bool{}}
	events := b.file("events.json", "the run as bench run --json writes it, judged again by this bench")
	b.keep(again(cmd, &text, c, &runOptions{also: report.All{report.NewJSON(events), report.Each(bad.result)}}))
	b.put("report.txt", "the same in words", text.Bytes())
	w := bufio.NewWriter(b.file("vectors.txt", fmt.Sprintf("the vectors that did not pass, as bench show does: %d", len(bad.jobs))))
	for _, job := range bad.jobs {
		show(w, job)
		fmt.Fprintln(w)
	}
	b.keep(w.Flush())
	for i, s := range c.Recording.Suites {
		b.put(fmt.Sprintf("suites/%d-%s", i+1, safeName(s.File)), "vectors that are not built in", []byte(s.Text))
	}
	b.put("version.txt", "the bench that made this file", []byte(versionLine()+"\n"))
	b.put("doctor.txt", "what is between bench and chip", state)
	b.put("README.txt", "this list", []byte("A run of utfbench, for a bug report.\n\n"+b.contents+"\nbench run -t replay:run.rec, bench diagnose run.rec and bench diff work on the recording.\n\n"+privacy+"\n"))
}

func (b *bundle) recording(path string) {
	f, err := files.Recording.Open(path)
	if err != nil {
		b.keep(err)
		return
	}
	defer f.Close()
	_, err = io.Copy(b.file("run.rec", "the recording: every step and sample"), f)
	b.keep(err)
}

// failing collects the vectors that did not pass.
type failing struct {
	jobs []driver.Job
	seen map[string]bool
}

// result is a report.Each.
func (f *failing) result(r *driver.Result) error {
	if (r.Verdict == driver.Fail || r.Verdict == driver.Error) && !f.seen[r.Vector.Name] {
		f.seen[r.Vector.Name] = true
		f.jobs = append(f.jobs, driver.Job{Vector: r.Vector, File: r.File})
	}
	return nil
}
