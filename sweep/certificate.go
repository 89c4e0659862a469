package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io"
	"maps"
	"strings"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile"
)

// Schema is the version of the certificate's format. It increases when a field is removed or changes its meaning.
const Schema = 1

// A Certificate is the result of a sweep. Its file has one JSON object per line: the head, the blocks in order, the
// end. Each has a unique encoding without any time, so the same chip yields the same file, however often the sweep was
// interrupted.
//
// A certificate is not a signature: anybody with the model can write one. Its value is that it can be recomputed.
type Certificate struct {
	Head   Head
	Blocks []Block
}

// A Head identifies a sweep: its space, reference and origin.
type Head struct {
	Event  string `json:"event"` // "sweep"
	Schema int    `json:"schema"`
	tile.Scope
	Vectors Hash         `json:"vectors"` // SHA-256 of the vector files that check the model
	First   int          `json:"first"`   // number of the first block
	Count   int          `json:"count"`   // number of blocks
	Of      int          `json:"of"`      // blocks of the whole space
	Made    []Provenance `json:"made"`    // one for each bench and chip that took part
}

// A Provenance identifies the chip and the bench.
type Provenance struct {
	Bench     string `json:"bench"` // version
	Transport string `json:"transport"`
	report.Chip
	Conditions string        `json:"conditions,omitempty"` // flags that set speed and waits
	Tags       document.Tags `json:"tags,omitempty"`       // circumstances; not evidence
}

func (p *Provenance) equal(o *Provenance) bool {
	return p.Bench == o.Bench && p.Transport == o.Transport && p.Chip == o.Chip && p.Conditions == o.Conditions &&
		maps.Equal(p.Tags, o.Tags)
}

// end is the last line. It follows from the other lines.
type end struct {
	Event   string `json:"event"`   // "end"
	Verdict string `json:"verdict"` // PASS, FAIL or FLAKY, see Verdict
	Cases   int    `json:"cases"`
	Steps   int    `json:"steps"`
	Failed  int    `json:"failed"` // cases
	Root    Hash   `json:"root"`   // see Root
	Digest  Hash   `json:"digest"` // SHA-256 of all previous lines
}

// NewHead returns the head of a sweep of blocks r of a space.
func NewHead(scope tile.Scope, space tile.Space, r Range, vectors Hash, made Provenance) Head {
	return Head{Event: "sweep", Schema: Schema, Scope: scope, Vectors: vectors, First: r.First, Count: r.End - r.First,
		Of: space.Blocks(), Made: []Provenance{made}}
}

// Range returns the head's blocks.
func (h *Head) Range() Range { return Range{h.First, h.First + h.Count} }

// Whole reports whether the certificate covers the whole space.
func (h *Head) Whole() bool { return h.Count == h.Of }

// Failed returns the number of cases that differ.
func (c *Certificate) Failed() int { return c.sum(func(b *Block) int { return b.Failed }) }

// Signed returns the number of cases confirmed only by a signature.
func (c *Certificate) Signed() int { return c.sum(func(b *Block) int { return b.Signed }) }

// Unsteady returns the number of runs with a wrong signature whose repeated steps were right.
func (c *Certificate) Unsteady() int { return c.sum(func(b *Block) int { return b.Unsteady }) }

func (c *Certificate) sum(of func(*Block) int) (n int) {
	for i := range c.Blocks {
		n += of(&c.Blocks[i])
	}
	return n
}

// Verdict returns FAIL if a case differs from the model, FLAKY if only a signature was wrong, else PASS.
func (c *Certificate) Verdict() driver.Verdict {
	switch {
	case c.Failed() > 0:
		return driver.Fail
	case c.Unsteady() > 0:
		return driver.Flaky
	}
	return driver.Pass
}

// Size returns the number of cases and of steps.
func (c *Certificate) Size() (cases, steps int) {
	return c.sum(func(b *Block) int { return b.Cases }), c.sum(func(b *Block) int { return b.Steps })
}

// Root returns the root of a hash tree over the blocks, as in RFC 6962. A leaf is the SHA-256 of 00 and the block's
// line without its end; a node is the SHA-256 of 01 and its children's hashes. The number of leaves in a left subtree
// is the greatest power of two below the total.
func (c *Certificate) Root() Hash {
	leaves := make([]Hash, len(c.Blocks))
	for i := range c.Blocks {
		leaves[i] = sha256.Sum256(append([]byte{0}, line(&c.Blocks[i])...))
	}
	return merkle(leaves)
}

func merkle(leaves []Hash) Hash {
	switch len(leaves) {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return leaves[0]
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	left, right := merkle(leaves[:k]), merkle(leaves[k:])
	return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
}

// line returns the canonical encoding of an object: compact, in the order of its fields, without a line end.
func line(object any) []byte {
	b, err := json.Marshal(object)
	if err != nil {
		panic(err) // a bug: JSON cannot encode the type
	}
	return b
}

// Text returns the contents of the certificate's file.
func (c *Certificate) Text() []byte {
	var b bytes.Buffer
	b.Write(append(line(&c.Head), '\n'))
	for i := range c.Blocks {
		b.Write(append(line(&c.Blocks[i]), '\n'))
	}
	b.Write(append(line(c.end(b.Bytes())), '\n'))
	return b.Bytes()
}

func (c *Certificate) end(before []byte) *end {
	e := &end{Event: "end", Verdict: c.Verdict().String(), Failed: c.Failed(), Root: c.Root(),
		Digest: sha256.Sum256(before)}
	e.Cases, e.Steps = c.Size()
	return e
}

// ReadFile reads a certificate file.
func ReadFile(path string) (*Certificate, error) {
	f, err := files.Certificate.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := Read(f)
	if err != nil {
		return nil, failure.Usagef("%s does not verify: %w", path, err)
	}
	return c, nil
}

// Read reads a certificate, whose size files.Certificate limits. It accepts only the exact output of Text.
func Read(r io.Reader) (*Certificate, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) < 3 || lines[len(lines)-1] != "" {
		return nil, failure.Usagef("incomplete: a certificate has a head, blocks and an end, each a line")
	}
	c := &Certificate{Blocks: make([]Block, len(lines)-3)}
	if err := readStrictly(lines[0], &c.Head); err != nil {
		return nil, failure.Usagef("line 1: %w", err)
	}
	if err := c.Head.check(); err != nil {
		return nil, failure.Usagef("line 1: %w", err)
	}
	if len(c.Blocks) != c.Head.Count {
		return nil, failure.Usagef("%d blocks, and the head says %d", len(c.Blocks), c.Head.Count)
	}
	for i := range c.Blocks {
		if err := readStrictly(lines[1+i], &c.Blocks[i]); err != nil {
			return nil, failure.Usagef("line %d: %w", i+2, err)
		}
		if n := c.Head.First + i; c.Blocks[i].Number != n {
			return nil, failure.Usagef("line %d: block %d stands where block %d belongs", i+2, c.Blocks[i].Number, n)
		}
	}
	if !bytes.Equal(c.Text(), text) {
		return nil, failure.Usagef("changed since it was written: the last line does not match the lines before it")
	}
	return c, nil
}

func (h *Head) check() error {
	switch {
	case h.Event != "sweep":
		return failure.Usagef("no head of a certificate")
	case h.Schema != Schema:
		return failure.Usagef("schema %d, and this bench knows %d", h.Schema, Schema)
	case h.First < 0 || h.Count < 1 || h.Of < h.Count || h.First > h.Of-h.Count:
		return failure.Usagef("%d blocks from number %d of %d on cannot be", h.Count, h.First, h.Of)
	case len(h.Made) == 0:
		return failure.Usagef("it does not name its origin")
	}
	return nil
}

// readStrictly decodes an object that is encoded exactly as by line.
func readStrictly(text string, object any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if d.Decode(object) != nil {
		return failure.Usagef("not in a certificate's format")
	}
	if !printable.Whole([]byte(text)) {
		return failure.Usagef("it holds control characters")
	}
	if string(line(object)) != text {
		return failure.Usagef("not in a certificate's format")
	}
	return nil
}
