package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/tile"
)

// readFiles reads certificates.
func readFiles(paths []string) (all []*Certificate, err error) {
	for _, path := range paths {
		c, err := ReadFile(path)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// CompareFiles compares two certificates of a tile.
func CompareFiles(t tile.Tile, paths [2]string) (*Comparison, error) {
	of, err := readFiles(paths[:])
	if err != nil {
		return nil, err
	}
	return NewComparison(t, [2]*Certificate(of), paths)
}

// MergeFiles writes the certificate of a whole sweep, from those of its shards. It replaces an existing file only with
// force.
func MergeFiles(to string, paths []string, force bool) (*Certificate, error) {
	shards, err := readFiles(paths)
	if err != nil {
		return nil, err
	}
	whole, err := Merge(shards)
	if err != nil {
		return nil, fmt.Errorf("these certificates do not make a whole: %w", err)
	}
	err = files.Write(to, whole.Text(), CertificateMode(force))
	if errors.Is(err, files.ErrThere) {
		return nil, fmt.Errorf("%w: name another file, or give --force to replace it", err)
	}
	return whole, failure.New(failure.Bench, err)
}

// A Verification recomputes a certificate.
type Verification struct {
	Tile    tile.Tile
	Vectors fs.FS // of this bench
	Jobs    int   // goroutines
	Head    document.Head
	JSON    bool

	Begun func(blocks int) // called before the first block
	Done  func(Answer)     // called after each block
	Over  func()           // called after the last block
}

// File verifies the certificate in a file, and writes the result.
func (v *Verification) File(ctx context.Context, w io.Writer, path string) (driver.Verdict, error) {
	c, err := ReadFile(path)
	if err != nil {
		return driver.Error, err
	}
	vectors, err := HashFiles(v.Vectors)
	if err != nil {
		return driver.Error, failure.New(failure.Bench, err)
	}
	if !v.JSON {
		c.WriteHead(w, vectors)
	}
	v.Begun(len(c.Blocks))
	doubts, err := Verify(ctx, c, v.Tile, v.Jobs, func(a Answer) error { v.Done(a); return nil })
	v.Over()
	verdict := driver.Error
	switch {
	case ctx.Err() != nil:
		return verdict, ctx.Err()
	case err == nil && v.JSON:
		verdict, err = c.DoubtsJSON(w, v.Head, doubts)
	case err == nil:
		verdict, err = c.WriteDoubts(w, v.Tile, doubts)
	}
	if err != nil {
		err = fmt.Errorf("%s does not verify: %w", path, err)
	}
	return verdict, err
}
