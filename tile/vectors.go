package tile

import (
	"io/fs"

	"utfbench/golden"
)

// Versed is a tile with vectors of its own, and with words of its own for a file of vectors.
type Versed interface {
	Dialect() golden.Dialect

	// Vectors is a folder of vector files.
	Vectors() fs.FS
}

// Smoked is a tile with a short list of its vectors, which find as much of what may be broken inside of a chip as all
// of them. Those of another revision may be among them.
type Smoked interface {
	// Smoke is a list of names, a line each; a line that begins with # is a comment.
	Smoke() string
}

// Dialect is the tile's, or golden.Plain if it has none.
func Dialect(t Tile) golden.Dialect {
	if v, ok := t.(Versed); ok {
		return v.Dialect()
	}
	return golden.Plain{Reset: Reset(t), Of: Revisions(t)}
}

// Suites are the vectors that come with a tile, if it has any.
func Suites(t Tile) ([]*golden.Suite, error) {
	v, ok := t.(Versed)
	if !ok {
		return nil, nil
	}
	return golden.Load(v.Vectors(), v.Dialect())
}
