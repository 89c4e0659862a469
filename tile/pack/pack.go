// Package pack keeps the designs of a shuttle's repository in one file: each fabricated netlist and its author's
// description. No other data are needed to judge a design on a chip.
//
// A pack is a zip archive: [IndexName] first, then NAME/info.yaml and NAME/NAME.v of each design, as in the repository,
// and NAME/explored.vec if vectors were made for it. Packs of the same repository are equal, byte for byte.
package pack

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/tile/gates"
	"utfbench/tile/project"
)

// IndexName is the name of a pack's index file.
const IndexName = "pack.json"

// Format is the version of the index.
const Format = 1

// An Index lists the contents of a pack, and the omitted designs of the shuttle.
type Index struct {
	Format   int              `json:"format"`
	Designs  []Design         `json:"designs"`
	Excluded []ExcludedDesign `json:"left_out"`
}

// A Design is a design that can be judged by its gates.
type Design struct {
	Name           string `json:"name"` // top module
	Title          string `json:"title,omitempty"`
	Author         string `json:"author,omitempty"`
	Repository     string `json:"repository,omitempty"`
	Commit         string `json:"commit,omitempty"`
	Licence        string `json:"licence_sha256,omitempty"` // of the text in the pack; "" without a licence
	ClockHz        int    `json:"clock_hz,omitempty"`
	Danger         string `json:"danger,omitempty"` // safe, medium, high or unknown; "" if unspecified
	Netlist        string `json:"netlist_sha256"`
	Combinational  bool   `json:"combinational"` // no state, and all inputs can be tried: see gates.Tile.FreeInputs
	Flops          int    `json:"flops"`
	Latches        int    `json:"latches,omitempty"`
	Suite          string `json:"suite_sha256,omitempty"` // digest of explored.vec; "" without one
	DetectedFaults int    `json:"faults_shown,omitempty"` // minimum number that the suite detects
	Faults         int    `json:"faults,omitempty"`       // number of faults that were tried
}

// An ExcludedDesign names a design that cannot be judged by its gates, and gives the reason.
type ExcludedDesign struct {
	Name   string `json:"name"`
	Reason string `json:"why"`
}

// A Pack is an open pack. The caller must close it.
type Pack struct {
	Index
	Path   string
	Digest string // SHA-256 of the file, in hex
	file   io.Closer
	zip    *zip.Reader
}

// Limits of a pack. TT09 has 369 designs; its largest netlist takes 2 MB.
const (
	maxPack    = 256 << 20
	maxIndex   = 16 << 20
	maxNetlist = 64 << 20
	maxSuite   = 16 << 20
	maxInfo    = 1 << 20
	maxDesigns = 10_000
)

// Open opens a pack and reads its index. The error reports bad input.
func Open(file string) (p *Pack, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, failure.Usagef("pack: %w", err)
	}
	p = &Pack{Path: file, file: f}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNoFile
	}
	if err == nil {
		err = p.read(f, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, failure.Usagef("%s: %w", file, err)
	}
	return p, nil
}

// Read returns a pack held in memory, which needs no Close. The error reports bad input.
func Read(name string, text []byte) (*Pack, error) {
	p := &Pack{Path: name}
	if err := p.read(bytes.NewReader(text), int64(len(text))); err != nil {
		return nil, failure.Usagef("%s: %w", name, err)
	}
	return p, nil
}

var errNoFile = fmt.Errorf("not a pack, a file of at most %d MB that bench shuttle pack makes", maxPack>>20)

func (p *Pack) read(from io.ReaderAt, size int64) error {
	if size > maxPack {
		return errNoFile
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(from, 0, size)); err != nil {
		return err
	}
	p.Digest = fmt.Sprintf("%x", h.Sum(nil))
	var err error
	if p.zip, err = zip.NewReader(from, size); err != nil {
		return fmt.Errorf("not a pack: %w", err)
	}
	if err := whole(from, size); err != nil {
		return err
	}
	text, err := p.entry(IndexName, maxIndex)
	if err != nil {
		return fmt.Errorf("not a pack: %w", err)
	}
	return p.index(text)
}

// whole returns an error if an archive has bytes before its first record or after its last; zip.NewReader ignores them.
func whole(from io.ReaderAt, size int64) error {
	const endSize = 22 // without a comment
	end := make([]byte, endSize)
	if _, err := from.ReadAt(end, max(0, size-endSize)); err != nil {
		return fmt.Errorf("not a pack: %w", err)
	}
	directory, at := binary.LittleEndian.Uint32(end[12:]), binary.LittleEndian.Uint32(end[16:])
	if string(end[:4]) != "PK\x05\x06" || int64(directory)+int64(at) != size-endSize {
		return errors.New("not a pack as it was made: something was added to it")
	}
	return nil
}

// name matches the name of a design and its folder.
var name = printable.LazyRegexp(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)

func (p *Pack) index(text []byte) error {
	if err := printable.Decode(text, &p.Index); err != nil {
		return fmt.Errorf("%s: %w", IndexName, err)
	}
	switch {
	case p.Format != Format:
		return fmt.Errorf("format %d: this bench reads %d", p.Format, Format)
	case len(p.Designs)+len(p.Excluded) > maxDesigns:
		return fmt.Errorf("%d designs: at most %d are read", len(p.Designs)+len(p.Excluded), maxDesigns)
	}
	seen := map[string]bool{}
	for _, d := range p.Designs {
		if !name().MatchString(d.Name) || seen[d.Name] {
			return fmt.Errorf("%q is no name of a design, or a duplicate", d.Name)
		}
		seen[d.Name] = true
	}
	return nil
}

// Close closes the file.
func (p *Pack) Close() error { return p.file.Close() }

func (p *Pack) entry(name string, limit int64) ([]byte, error) {
	f, err := p.zip.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is longer than %d MB", name, limit>>20)
	}
	return text, err
}

// Find returns the design with a name, ignoring case.
func (p *Pack) Find(name string) (*Design, error) {
	for i := range p.Designs {
		if strings.EqualFold(p.Designs[i].Name, name) {
			return &p.Designs[i], nil
		}
	}
	for _, l := range p.Excluded {
		if strings.EqualFold(l.Name, name) {
			return nil, failure.Usagef("%s: %s is not in the pack: %s", p.Path, l.Name, l.Reason)
		}
	}
	return nil, failure.Usagef("%s has no design %q%s: bench shuttle show %[1]s lists its %[4]s", p.Path, name,
		p.hint(name), printable.Count(len(p.Designs), "design"))
}

// hint returns " (did you mean NAME?)" for the design that a mistyped or partial name resembles, or "".
func (p *Pack) hint(typed string) string {
	const prefix = "tt_um_" // nearly every name begins with it
	typed = strings.TrimPrefix(strings.ToLower(typed), prefix)
	var names []string
	for _, d := range p.Designs {
		names = append(names, strings.TrimPrefix(strings.ToLower(d.Name), prefix))
	}
	i := slices.Index(names, failure.Nearest(typed, names))
	if i < 0 && typed != "" {
		i = slices.IndexFunc(names, func(name string) bool { return strings.Contains(name, typed) })
	}
	if i < 0 {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", p.Designs[i].Name)
}

// Files returns the info.yaml and the netlist of a design. It checks the netlist against the index.
func (p *Pack) Files(d *Design) (info, netlist []byte, err error) {
	if info, err = p.entry(path.Join(d.Name, "info.yaml"), maxInfo); err != nil {
		return nil, nil, failure.Usagef("%s: %w", p.Path, err)
	}
	netlist, err = p.checked(path.Join(d.Name, d.Name+".v"), d.Netlist, maxNetlist)
	return info, netlist, err
}

// Suite returns the vectors that the pack holds for a design, or nil. It checks them against the index.
func (p *Pack) Suite(d *Design) ([]byte, error) {
	if d.Suite == "" {
		return nil, nil
	}
	return p.checked(path.Join(d.Name, suiteName), d.Suite, maxSuite)
}

func licenceFile(digest string) string { return path.Join("licences", digest) }

// Check reads everything in the pack, compiles each design, and compares it with the index.
func (p *Pack) Check() error {
	for i := range p.Designs {
		d := &p.Designs[i]
		t, err := p.Tile(d)
		if err != nil {
			return err
		}
		_, free := t.FreeInputs()
		if g := t.Design.Program(); g.FlopCount() != d.Flops || g.LatchCount() != d.Latches || free != d.Combinational {
			return failure.Usagef("%s: the index does not describe the gates of %s", p.Path, d.Name)
		}
		if d.Licence != "" {
			_, err = p.checked(licenceFile(d.Licence), d.Licence, maxInfo)
		}
		if err == nil {
			_, err = p.Suite(d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// suiteName is the name of the file of a design's vectors.
const suiteName = "explored.vec"

// checked reads a file of the archive, and verifies its SHA-256.
func (p *Pack) checked(name, digest string, limit int64) ([]byte, error) {
	text, err := p.entry(name, limit)
	if err != nil {
		return nil, failure.Usagef("%s: %w", p.Path, err)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != digest {
		return nil, failure.Usagef("%s: %s differs from the index: SHA-256 %s, and the index has %s", p.Path, name, got,
			digest)
	}
	return text, nil
}

// Tile compiles a design.
func (p *Pack) Tile(d *Design) (*gates.Tile, error) {
	info, netlist, err := p.Files(d)
	if err != nil {
		return nil, err
	}
	about, err := project.OpenFabricated(d.Name, info)
	if err != nil {
		return nil, err
	}
	t, err := gates.OpenText(about, netlist)
	return t, failure.Usage(err)
}

// Extract writes a design's files into a folder of the cache, by default the user's, to be opened as a tile.
func (p *Pack) Extract(d *Design, cache string) (dir string, err error) {
	to, err := files.OpenCache(cache, "packs")
	if err != nil {
		return "", err
	}
	info, netlist, err := p.Files(d)
	suite, wrong := p.Suite(d)
	if err = cmp.Or(err, wrong); err != nil {
		return "", err
	}
	contents := map[string][]byte{"info.yaml": info, d.Name + ".v": netlist}
	if suite != nil {
		contents[suiteName], contents[project.OwnName] = suite, []byte("vectors: .\n")
	}
	key := sha256.Sum256(bytes.Join([][]byte{info, netlist, suite}, []byte{0}))
	entry, err := to.Entry(fmt.Sprintf("%x", key[:16]), func(dir string) error {
		own := path.Join(dir, d.Name)
		err := os.Mkdir(own, 0o700)
		for name, text := range contents {
			err = cmp.Or(err, os.WriteFile(path.Join(own, name), text, 0o600))
		}
		return err
	})
	return path.Join(entry, d.Name), err
}

// add adds a file without a time stamp, so that equal files make equal archives.
func add(to *zip.Writer, name string, text []byte) error {
	w, err := to.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
