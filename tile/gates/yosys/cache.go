package yosys

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// Files in an entry of the cache: the JSON of write_json, and Yosys' list of files read.
const (
	netlistFile = "netlist.json"
	readFile    = "read"
)

// made returns the cache's folder with the elaborated design. Its key covers all files that the design reads.
func (r *run) made(ctx context.Context) (entry string, err error) {
	kept, err := files.OpenCache(r.CacheDir, "gates")
	if err != nil {
		return "", err
	}
	if err := r.findData(ctx, kept); err != nil {
		return "", err
	}
	if r.digest, err = r.digestOf(r.data); err != nil {
		return "", err
	}
	return kept.Entry(r.key(r.digest), func(dir string) error { return r.elaborate(ctx, dir) })
}

// key returns the cache key of a file derived from the design. It depends on the source paths, which the JSON contains.
func (r *run) key(of string) string {
	key := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q %q", r.version, script, undeclaredFile, r.Top, r.text, of))
	return fmt.Sprintf("%x", key[:16])
}

// elaborate makes the netlist in a folder, or copies the one that this run has already made.
func (r *run) elaborate(ctx context.Context, dir string) error {
	if _, err := os.Stat(r.own(netlistFile)); err == nil {
		return errors.Join(r.copy(netlistFile, dir), r.copy(undeclaredFile, dir))
	}
	messages, err := r.call(ctx, r.where, []string{"hierarchy -check -top " + r.Top, script}, "-E", r.own(readFile),
		"-b", "json", "-o", filepath.Join(dir, netlistFile))
	if err != nil {
		return err
	}
	return r.keepUndeclared(dir, messages)
}

// copy copies one of the run's own files to a folder.
func (r *run) copy(name, dir string) error {
	text, err := os.ReadFile(r.own(name))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name), text, 0o600)
}

// findData finds the files that the design reads during elaboration. It looks up their names in the cache under the
// source text, or elaborates the design to find them.
func (r *run) findData(ctx context.Context, kept files.Cache) (err error) {
	if !strings.Contains(r.text, "$readmem") {
		return nil
	}
	const between = "\x00"
	memo := r.key("the names of data files")
	if names, known := kept.LoadText(memo); known && len(names) > 0 {
		r.data, err = r.allowed(strings.Split(string(names), between))
		missing := func(name string) bool { _, err := os.Stat(name); return err != nil }
		if err != nil || !slices.ContainsFunc(r.data, missing) {
			return err
		}
	}
	if err := r.elaborate(ctx, r.dir); err != nil {
		return err
	}
	if r.data, err = r.dataFiles(); err == nil {
		kept.StoreText(memo, []byte(strings.Join(r.data, between)))
	}
	return err
}

// dataFiles returns the files that Yosys read, except its own and the run's.
func (r *run) dataFiles() ([]string, error) {
	text, err := os.ReadFile(r.own(readFile))
	if err != nil {
		return nil, err
	}
	_, names, _ := strings.Cut(string(text), ": ")
	var all []string
	for _, name := range strings.Fields(strings.ReplaceAll(names, `\ `, "\x00")) {
		name = strings.ReplaceAll(name, "\x00", " ")
		if !filepath.IsAbs(name) {
			name = filepath.Join(r.where, name)
		}
		if filepath.Dir(name) != r.dir && !strings.Contains(name, "/share/yosys/") {
			all = append(all, name)
		}
	}
	return r.allowed(all)
}

// digestOf hashes all inputs of the circuit, independently of their paths.
func (r *run) digestOf(data []string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q\n", r.version, script, r.Top, marker().ReplaceAllString(r.text, ""))
	for _, path := range data {
		f, err := os.Open(path)
		if err != nil {
			return "", failure.Usage(err)
		}
		fmt.Fprintf(h, "%q\n", filepath.Base(path))
		_, err = io.Copy(h, f)
		f.Close()
		if err != nil {
			return "", failure.Usage(err)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
