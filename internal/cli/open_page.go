package cli

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"utfbench/internal/failure"
)

// opener returns a system's command for opening a file.
func opener(system string) []string {
	switch system {
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	case "darwin":
		return []string{"open"}
	}
	return []string{"xdg-open"}
}

// openerPatience is the time in which an opener reports a failure. An opener that is itself a browser runs until it is
// closed.
const openerPatience = 3 * time.Second

// OpenPage opens a page in the user's browser. The error names the program that failed.
func OpenPage(path string) error {
	whole, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	words := append(opener(runtime.GOOS), whole)
	cmd := exec.Command(words[0], words[1:]...)
	ended := make(chan error, 1)
	if err = cmd.Start(); err == nil {
		failure.Go(func() { ended <- cmd.Wait() })
		select {
		case err = <-ended:
		case <-time.After(openerPatience):
		}
	}
	if err != nil {
		return fmt.Errorf("%s could not open %s: %w; open the page yourself", words[0], path, err)
	}
	return nil
}
