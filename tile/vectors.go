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
