package sweep

import (
	"crypto/sha256"
	"io"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/tile"
)

// A Result is the outcome of a sweep. Its JSON form is described in docs/formats.md.
type Result struct {
	report.About
	Conditions        string     `json:"conditions,omitempty"` // flags that set speed and waits
	Tags              files.Tags `json:"tags,omitempty"`       // circumstances; not evidence
	Space             string     `json:"space"`
	Depth             int        `json:"depth,omitempty"`
	TotalBlocks       int        `json:"of"` // blocks of the space
	Verdict           string     `json:"verdict"`
	Cases             int        `json:"cases"`
	Steps             int        `json:"steps"`
	Failed            int        `json:"failed"` // cases
	Signed            int        `json:"signed"` // cases confirmed by a signature only
	UnsteadyStretches int        `json:"unsteady"`
	Seconds           float64    `json:"seconds"`
	NewSteps          int        `json:"steps_now"` // steps of this run, without resumed blocks
	Root              *Hash      `json:"root"`      // null if blocks are missing
	IdleFaults        []string   `json:"idle_faults,omitempty"`
	Blocks            []Block    `json:"blocks"`
}

// NewResult returns the result of a scope's finished blocks, in order.
func NewResult(about report.About, scope tile.Scope, space tile.Space, blocks []Block) *Result {
	r := &Result{About: about, Space: scope.Space, Depth: scope.Depth, TotalBlocks: space.Blocks(), Blocks: blocks}
	if blocks == nil {
		r.Blocks = []Block{}
	}
	for i := range blocks {
		b := &blocks[i]
		r.Cases, r.Steps, r.Failed = r.Cases+b.Cases, r.Steps+b.Steps, r.Failed+b.Failed
		r.Signed, r.UnsteadyStretches = r.Signed+b.Signed, r.UnsteadyStretches+b.UnsteadyStretches
	}
	if len(blocks) == r.TotalBlocks {
		root := Root(blocks)
		r.Root = &root
	}
	r.Verdict = r.Judge().String()
	return r
}

// Judge returns FAIL if a case differs, FLAKY if only a signature was wrong, PASS if all blocks are right, or SKIPPED.
func (r *Result) Judge() driver.Verdict {
	switch {
	case r.Failed > 0:
		return driver.Fail
	case r.UnsteadyStretches > 0:
		return driver.Flaky
	case r.Root == nil:
		return driver.Skipped
	}
	return driver.Pass
}

// Scope returns the sweep's scope.
func (r *Result) Scope() tile.Scope {
	return tile.Scope{Space: r.Space, Depth: r.Depth, Revision: r.Revision}
}

// Root returns the root of a hash tree over the samples of all blocks, in order, as in RFC 6962. A leaf is the SHA-256
// of 00 and the hash of a block's samples; a node is the SHA-256 of 01 and its children's hashes. The number of leaves
// in a left subtree is the greatest power of two below the total.
func Root(blocks []Block) Hash {
	leaves := make([]Hash, len(blocks))
	for i := range blocks {
		leaves[i] = sha256.Sum256(append([]byte{0}, blocks[i].Samples[:]...))
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

// Write writes the result as JSON.
func (r *Result) Write(w io.Writer) error { return files.WriteDocument(w, r) }

// ReadFile reads a result, and checks that its sums, its verdict and its root agree with its blocks.
func ReadFile(path string) (*Result, error) {
	r, err := read(path)
	if err == nil {
		err = r.check()
	}
	if err != nil {
		return nil, failure.Usagef("%s: %w", path, err)
	}
	return r, nil
}

func read(path string) (*Result, error) {
	f, err := files.Sweep.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := new(Result)
	return r, files.ReadDocument(f, "bench sweep --json", r)
}

// count is a space with only a number of blocks.
type count struct {
	tile.Space
	blocks int
}

func (c count) Blocks() int { return c.blocks }

// check returns an error if the result does not agree with its blocks.
func (r *Result) check() error {
	if r.Space == "" || r.TotalBlocks < 1 {
		return failure.Usagef("not written by bench sweep --json")
	}
	for i, b := range r.Blocks {
		if b.Number < 0 || b.Number >= r.TotalBlocks || i > 0 && b.Number <= r.Blocks[i-1].Number || b.Cases < 1 {
			return failure.Usagef("block %d: it cannot be at place %d of a sweep of %d blocks", b.Number, i+1,
				r.TotalBlocks)
		}
	}
	made := NewResult(r.About, r.Scope(), count{blocks: r.TotalBlocks}, r.Blocks)
	switch same := made.Root == nil && r.Root == nil || made.Root != nil && r.Root != nil && *made.Root == *r.Root; {
	case !same:
		return failure.Usagef("its root is not that of its blocks: it was changed")
	case made.Verdict != r.Verdict || made.Cases != r.Cases || made.Steps != r.Steps || made.Failed != r.Failed ||
		made.Signed != r.Signed || made.UnsteadyStretches != r.UnsteadyStretches:
		return failure.Usagef("its verdict or its sums are not those of its blocks: it was changed")
	}
	return nil
}
