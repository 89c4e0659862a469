package sweep

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/tile"
)

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
