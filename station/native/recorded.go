package native

import (
	"fmt"

	"utfbench/cause/cells"
	"utfbench/cause/shmoo"
	"utfbench/cause/timing"
	"utfbench/internal/files"
	"utfbench/runs/explain"
)

// Attach adds to a page what other commands wrote of the chip, files by path: a shmoo, its timing, and the cells that
// explain the run; "" is none.
func Attach(p *explain.Page, grid, measured, diagnosis string) (err error) {
	if grid != "" {
		if p.Shmoo, err = shmoo.ReadFile(grid); err != nil {
			return fmt.Errorf("--shmoo: %w", err)
		}
	}
	if measured != "" {
		if p.Timing, err = timing.ReadFile(measured); err != nil {
			return err
		}
	}
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
