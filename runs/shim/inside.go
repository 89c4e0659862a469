package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"utfbench/internal/files"
)

// ports lists the ports of a tile, which a test may use at its instance.
var ports = []string{"ui_in", "uo_out", "uio_in", "uio_out", "uio_oe", "ena", "clk", "rst_n", "VPWR", "VGND"}

func instances(top string, sources []string) (names []string) {
	instance := regexp.MustCompile(`(?s)\b` + regexp.QuoteMeta(top) + `\b\s*(?:#\s*\(.*?\)\s*)?(\w+)\s*\(`)
	for _, path := range sources {
		text, err := files.Verilog.Read(path) // the simulator will report the error
		if m := instance.FindSubmatch(text); err == nil && m != nil {
			names = append(names, string(m[1]))
		}
	}
	return names
}

// namedInside returns the signals inside these instances that the Python files of a folder name, each with its first
// place. A test that checks for a signal prints nothing if the signal is missing.
func namedInside(dir string, instances []string) (all []string) {
	if len(instances) == 0 {
		return nil
	}
	signal := regexp.MustCompile(`\.((?:` + strings.Join(instances, "|") + `)\.([A-Za-z]\w*))`)
	paths, _ := filepath.Glob(filepath.Join(dir, "*.py")) // the folder's name may be an invalid pattern
	var known []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // Python will report the error
		}
		for n, line := range strings.Split(string(text), "\n") {
			code, _, _ := strings.Cut(line, "#")
			for _, m := range signal.FindAllStringSubmatch(code, -1) {
				if !slices.Contains(ports, m[2]) && !slices.Contains(known, m[1]) {
					known = append(known, m[1])
					all = append(all, fmt.Sprintf("%s (%s:%d)", m[1], filepath.Base(path), n+1))
				}
			}
		}
	}
	return all
}
