package files

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"utfbench/internal/failure"
)

// Claims are the files of one command. They ensure that no output is also another of its files.
type Claims struct{ claims []claim }

type claim struct {
	by, path string // as given by the user
	place    string // the same for all paths of a file
	output   bool
}

// Input claims an input; by is the flag or argument that names it. An empty path is ignored.
func (c *Claims) Input(by, path string) error { return c.add(claim{by, path, place(path), false}) }

// Output claims an output, and its temporary name if it is a part. The null device may be claimed repeatedly.
func (c *Claims) Output(by, path string, mode Mode) error {
	if path == os.DevNull {
		return nil
	}
	err := c.add(claim{by, path, place(path), true})
	if err == nil && path != "" && mode&Part != 0 {
		err = c.add(claim{by, PartName(path), place(PartName(path)), true})
	}
	return err
}

func (c *Claims) add(n claim) error {
	if n.path == "" {
		return nil
	}
	for _, o := range c.claims {
		if o.place != n.place || o.by == n.by && o.output && n.output || !o.output && !n.output {
			continue
		}
		if o.output && n.output {
			return failure.Usagef("%s and %s are both to be written to %s: give them different "+
				"files", o.by, n.by, n.path)
		}
		if n.output {
			o, n = n, o
		}
		return failure.Usagef("%s would be written to %s, which %s reads: give it another file", o.by, o.path, n.by)
	}
	c.claims = append(c.claims, n)
	return nil
}

// place resolves links, including the folder's if the file does not exist yet.
func place(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = filepath.Clean(path)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		abs = filepath.Join(dir, filepath.Base(abs))
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" { // file names usually ignore case there
		abs = strings.ToLower(abs)
	}
	return abs
}
