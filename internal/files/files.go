// Package files opens all inputs that a user names, and creates all outputs that a user keeps. It also defines the
// build that wrote them, and tags for circumstances such as a supply voltage.
//
// # Words
//
//   - An input is a file that a command reads. Each [Kind] of input has a limit,
//     which errors state. It cannot be a folder or a device, so every input ends.
//   - An output is a file that a command writes. It appears under its name atomically, when it is complete. It keeps
//     the mode of the file that it replaces; a new file gets the mode that the umask allows.
//   - A part is an output that is useful even if the bench dies: until it is
//     complete, its name ends in ".part". Other outputs have a hidden name until
//     then.
//   - A document is one JSON object, which begins with its [DocumentHead]. Names are in
//     snake_case, with the unit as a suffix: _ns, _hz, _bytes. An empty list is
//     present; an unknown value is null or missing. docs/schemas has a JSON Schema
//     for each document, which tests enforce.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"utfbench/internal/failure"
)

// A Kind is a kind of input.
type Kind struct {
	Name  string // with its article
	Limit int64  // bytes
}

// Kinds of input.
var (
	BoardFile   = Kind{"a board file", 16 << 10}
	Settings    = Kind{"a bench.yaml", 64 << 10}
	VectorFile  = Kind{"a vector file", 96 << 20}
	EventStream = Kind{"an event stream", 256 << 20}
	Recording   = Kind{"a recording", 64 << 30}
	Sweep       = Kind{"a sweep", 16 << 20}
	Waveform    = Kind{"a waveform", 16 << 30}
	Verilog     = Kind{"a Verilog file", 64 << 20}
	Project     = Kind{"a file that describes a tile", 1 << 20}
)

// silence is the time limit for reading an input pipe, from the first byte to the last.
const silence = time.Minute

// errEmptyPipe reports a pipe without a writer.
var errEmptyPipe = failure.Usagef("no process writes to this pipe")

// Check returns an error if a path is not an input of this kind: it is missing, a folder, a device, or too long.
func (k Kind) Check(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return failure.Usage(err)
	}
	return k.check(path, info)
}

func (k Kind) check(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return failure.Usagef("%s is a folder, and has to be %s", path, k.Name)
	case mode&(fs.ModeDevice|fs.ModeSocket|fs.ModeIrregular) != 0:
		return failure.Usagef("%s is a device, and has to be %s", path, k.Name)
	case info.Size() > k.Limit:
		return k.tooLong(path)
	}
	return nil
}

func (k Kind) tooLong(path string) error {
	return failure.Usagef("%s is longer than %s, the maximum for %s", path, FormatSize(k.Limit), k.Name)
}

// FormatSize formats a limit of a round number of bytes.
func FormatSize(n int64) string {
	for _, unit := range []string{"bytes", "KiB", "MiB"} {
		if n < 1024 || n%1024 != 0 {
			return fmt.Sprintf("%d %s", n, unit)
		}
		n /= 1024
	}
	return fmt.Sprintf("%d GiB", n)
}

// An Input is a file that is read as a stream, up to its limit.
type Input struct {
	*os.File
	kind Kind
	left int64
}

// Open opens an input. A pipe must end within a minute.
func (k Kind) Open(path string) (*Input, error) {
	// Opening a pipe without a writer must not block.
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, failure.Usage(err)
	}
	info, err := f.Stat() // after opening, since the path could change before that
	if err == nil {
		err = k.check(path, info)
	}
	if err == nil && !info.Mode().IsRegular() {
		err = f.SetReadDeadline(time.Now().Add(silence))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Input{f, k, k.Limit}, nil
}

// OpenFile opens a regular file as an input for random access, and returns its size.
func (k Kind) OpenFile(path string) (*os.File, int64, error) {
	in, err := k.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := in.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = failure.Usagef("%s is a pipe, and has to be a file", path)
	}
	if err != nil {
		in.Close()
		return nil, 0, err
	}
	return in.File, info.Size(), nil
}

// Read implements io.Reader. It fails when the input exceeds its limit.
func (in *Input) Read(b []byte) (int, error) {
	if in.left < 0 {
		return 0, in.kind.tooLong(in.Name())
	}
	if int64(len(b)) > in.left+1 {
		b = b[:in.left+1]
	}
	n, err := in.File.Read(b)
	in.left -= int64(n)
	switch {
	case in.left < 0:
		return 0, in.kind.tooLong(in.Name())
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, failure.Usagef("%s is a pipe that did not end within %s", in.Name(), silence)
	case err != nil && !errors.Is(err, io.EOF):
		return n, failure.Usage(err)
	}
	return n, err
}

// WriteTo hides the method of os.File, which would bypass the limit.
func (in *Input) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, struct{ io.Reader }{in}) }

// Read reads a whole input.
func (k Kind) Read(path string) ([]byte, error) {
	in, err := k.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return in.readAll()
}

// ReadFile reads the rest of an open file.
func (k Kind) ReadFile(f *os.File) ([]byte, error) { return (&Input{f, k, k.Limit}).readAll() }

func (in *Input) readAll() ([]byte, error) {
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, min(info.Size(), in.kind.Limit)+1) // allocated once
	for {
		n, err := in.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case errors.Is(err, io.EOF) && len(b) == 0 && info.Mode()&fs.ModeNamedPipe != 0:
			return nil, failure.Usagef("%s: %w", in.Name(), errEmptyPipe)
		case errors.Is(err, io.EOF):
			return b, nil
		case err != nil:
			return nil, err
		case len(b) == cap(b):
			b = append(b, 0)[:len(b)]
		}
	}
}
