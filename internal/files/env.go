package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// An Env holds the parts of the process that a command uses, so that several commands can run in one process.
type Env struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(name string) string // returns a variable, or "" if it is not set
	Dir            string                   // the working directory; "" for the process's
}

// ProcessEnv returns the Env of this process.
func ProcessEnv() *Env { return &Env{os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv, ""} }

// Path resolves a user's path in the working directory. It returns "" and [StandardStream] unchanged.
func (e *Env) Path(name string) string {
	if e.Dir == "" || name == "" || name == StandardStream || filepath.IsAbs(name) {
		return name
	}
	return e.Dir + string(filepath.Separator) + name // not cleaned, since messages quote the name as the user wrote it
}

// DataDir returns the path of the folder utfbench in the user's data folder, even if it does not exist.
func (e *Env) DataDir() (string, error) {
	return e.userDir("LocalAppData", "XDG_DATA_HOME", filepath.Join(".local", "share"))
}

// ConfigDir returns the path of the folder utfbench in the user's configuration folder, even if it does not exist.
func (e *Env) ConfigDir() (string, error) { return e.userDir("AppData", "XDG_CONFIG_HOME", ".config") }

// userDir returns the folder utfbench in the folder that a variable names. On Unix the default is in the home folder.
func (e *Env) userDir(windows, unix, inHome string) (string, error) {
	variable := unix
	switch runtime.GOOS {
	case "windows":
		variable, inHome = windows, ""
	case "darwin", "ios":
		variable, inHome = "", filepath.Join("Library", "Application Support")
	}
	if dir := e.Getenv(variable); filepath.IsAbs(dir) { // the XDG specification ignores relative paths
		return filepath.Join(dir, "utfbench"), nil
	}
	home := e.Getenv("HOME")
	switch {
	case inHome == "":
		return "", errors.New("the variable " + variable + " is not set, so the data folder is unknown")
	case home == "":
		return "", errors.New("the home folder is unknown, and thus the data folder")
	}
	return filepath.Join(home, inHome, "utfbench"), nil
}
