package export

import (
	"archive/zip"
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/tile"
)

// A Bundle is a zip file for a bug report on a recorded run. It contains the recording, the result of judging it again,
// the vectors that did not pass, and the output of bench doctor.
type Bundle struct {
	Recording    *report.Recording
	Tile         tile.Tile // the reference
	DoctorOutput []byte    // output of bench doctor; nil if it was not run
	Version      string    // describes this version of the bench, in one line

	// Judge judges the recording again, writes the result to text, and calls the reporters.
	Judge func(text io.Writer, told report.Reporters) error
}

// chipOfRecording describes the recorded chip, for a bundle without the output of bench doctor.
func chipOfRecording(s *report.Start) []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "bench doctor was not run, since bench bundle had no -t. From the recording:\n\ntransport  "+
		"%s\nboard      %s\ndevice     %s\nchip's ROM %s\nfirmware   %s\nrevision   %s\nhost       %s\nbench      %s\n",
		s.Transport, s.Board, s.Device, s.ROM, s.Firmware, s.Revision, s.Host, s.Bench)
	if len(s.Tags) > 0 {
		fmt.Fprintf(&text, "tags       %s\n", s.Tags)
	}
	for _, note := range s.Notes {
		fmt.Fprintf(&text, "note       %s\n", note)
	}
	return text.Bytes()
}

// Write writes the zip, and returns its contents as text, one line for each file.
func (b *Bundle) Write(w io.Writer) (contents string, err error) {
	f := &bundleWriter{zip: zip.NewWriter(w), at: time.Now()}
	f.fill(b)
	f.keep(f.zip.Close())
	return f.contents, f.err
}

// A bundleWriter writes the files of a zip.
type bundleWriter struct {
	zip      *zip.Writer
	at       time.Time
	contents string // the contents so far, one line for each file
	err      error  // the first error; after it, no file is added
}

// privacy lists the data in the zip that identifies its sender.
const privacy = `It names the host that the bench ran on, the board's id, and the port and files as they were
given to the bench; nothing else is yours. The first line of events.json, and doctor.txt, show all of it.`

func (f *bundleWriter) fill(b *Bundle) {
	f.recording(b.Recording.Path)
	b.Recording.Path = "run.rec" // the report prints the path; the original is private
	var text bytes.Buffer
	bad := failedVectors{seen: map[string]bool{}}
	events := f.file("events.json", "the run as bench run --json writes it, judged again by this bench")
	f.keep(b.Judge(&text, report.Reporters{report.NewJSON(events), report.ResultFunc(bad.result)}))
	f.put("report.txt", "the same in words", text.Bytes())
	w := bufio.NewWriter(f.file("vectors.txt", fmt.Sprintf("the vectors that did not pass, as bench vectors show "+
		"prints them: %d", len(bad.jobs))))
	for _, job := range bad.jobs {
		ShowVector(w, b.Tile, job)
		fmt.Fprintln(w)
	}
	f.keep(w.Flush())
	for i, s := range b.Recording.SuiteFiles {
		f.put(fmt.Sprintf("suites/%d-%s", i+1, safeName(s.Name)), "vectors that are not built in", []byte(s.Text))
	}
	f.put("version.txt", "the bench that made this file", []byte(b.Version+"\n"))
	if b.DoctorOutput != nil {
		f.put("doctor.txt", "the output of bench doctor", b.DoctorOutput)
	} else {
		f.put("doctor.txt", "the chip by the recording, since bench doctor was not run",
			chipOfRecording(&b.Recording.Start))
	}
	f.put("README.txt", "this list", []byte("A run of utfbench, for a bug report.\n\n"+f.contents+
		"\nbench run -t replay:run.rec, bench diagnose run.rec and bench diff work on the recording.\n\n"+privacy+"\n"))
}

func (f *bundleWriter) recording(path string) {
	rec, err := files.Recording.Open(path)
	if err != nil {
		f.keep(err)
		return
	}
	defer rec.Close()
	_, err = io.Copy(f.file("run.rec", "the recording: every step and sample"), rec)
	f.keep(err)
}

// file begins a file of the zip. what describes it in the zip's README.
func (f *bundleWriter) file(name, what string) io.Writer {
	if f.err != nil {
		return io.Discard
	}
	w, err := f.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: f.at})
	if err != nil {
		f.err = err
		return io.Discard
	}
	f.contents += fmt.Sprintf("  %-14s %s\n", name, what)
	return w
}

func (f *bundleWriter) put(name, what string, text []byte) {
	_, err := f.file(name, what).Write(text)
	f.keep(err)
}

func (f *bundleWriter) keep(err error) {
	if f.err == nil {
		f.err = err
	}
}

// safeName returns the last part of a path. After a prefix, it names no folder, stream or device on any system.
func safeName(path string) string {
	base := path[strings.LastIndexAny(path, `/\:`)+1:]
	name := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._+-", r) {
			return r
		}
		return '_'
	}, base)
	return strings.TrimRight(name[:min(len(name), 100)], ".") // Windows drops trailing dots
}

// failedVectors collects the vectors that did not pass.
type failedVectors struct {
	jobs []driver.Job
	seen map[string]bool
}

// result is a report.ResultFunc that adds each vector that did not pass.
func (f *failedVectors) result(r *driver.Result) error {
	if r.Verdict.Row().Detailed && !f.seen[r.Vector.Name] {
		f.seen[r.Vector.Name] = true
		f.jobs = append(f.jobs, driver.Job{Vector: r.Vector, File: r.File})
	}
	return nil
}
