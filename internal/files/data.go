package files

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// Data returns the folder utfbench in the user's data folder, which may not exist.
func Data() (string, error) {
	switch runtime.GOOS {
	case "windows":
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return filepath.Join(dir, "utfbench"), nil
		}
		return "", errors.New("the variable LocalAppData is not set, so the data folder is unknown")
	case "darwin", "ios":
		return home("Library", "Application Support", "utfbench")
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // the specification says to ignore relative paths
		return filepath.Join(dir, "utfbench"), nil
	}
	return home(".local", "share", "utfbench")
}

func home(below ...string) (string, error) {
	dir, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("the home folder is unknown, and thus the data folder")
	}
	return filepath.Join(append([]string{dir}, below...)...), nil
}
