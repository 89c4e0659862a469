package history

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// dataFolder is where programs of this user keep their data.
func dataFolder() (string, error) {
	switch runtime.GOOS {
	case "windows":
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return dir, nil
		}
		return "", errors.New("the variable LocalAppData is not set, so the folder for data is not known: give --db")
	case "darwin", "ios":
		return home("Library", "Application Support")
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // the specification has others ignored
		return dir, nil
	}
	return home(".local", "share")
}

func home(below ...string) (string, error) {
	dir, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("the home folder is not known, nor so the folder for data: give --db")
	}
	return filepath.Join(append([]string{dir}, below...)...), nil
}
