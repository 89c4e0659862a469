package history

import (
	"fmt"
	"os"
	"path/filepath"

	"utfbench/internal/files"
)

// File is the history of the user: BENCH_DB, else history.db in the folder utfbench of the platform's place for data.
func File() (string, error) {
	if file := os.Getenv("BENCH_DB"); file != "" {
		return file, nil
	}
	dir, err := files.Data()
	if err != nil {
		return "", fmt.Errorf("%w: give --db", err)
	}
	return filepath.Join(dir, "history.db"), nil
}
