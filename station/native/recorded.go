package native

import (
	"fmt"

	"utfbench/cause/cells"
	"utfbench/internal/files"
	"utfbench/runs/explain"
)

// Attach adds to a page the cells that explain its run, from a file of bench diagnose, or nothing for "".
func Attach(p *explain.Page, diagnosis string) error {
	if diagnosis == "" {
		return nil
	}
	f, err := files.Diagnosis.Open(diagnosis)
	if err != nil {
		return fmt.Errorf("--diagnosis: %w", err)
	}
	defer f.Close()
	if p.Inside, err = cells.ReadLocated(f); err != nil {
		return fmt.Errorf("--diagnosis: %s: %w", diagnosis, err)
	}
	return nil
}
