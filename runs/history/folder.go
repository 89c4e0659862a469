package history

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// File is the history of the user: BENCH_DB, else history.db in the folder utfbench of the platform's place for data.
func File() (string, error) {
	if file := os.Getenv("BENCH_DB"); file != "" {
		return file, nil
	}
	dir, err := dataFolder()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "utfbench", "history.db"), nil
}

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
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // the specification says to ignore others
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
