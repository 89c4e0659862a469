package boards

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// builtInState is the date of the embedded tables.
const builtInState = "2026-05-25"

// An update has the tables of a newer index, in a file of the user's data folder.
type update struct {
	State    string `json:"state"` // date
	Shuttles string `json:"shuttles"`
	Designs  string `json:"designs"`
}

var (
	kindCheckout = files.Kind{Name: "a shuttle index", Limit: 32 << 20}
	kindUpdate   = files.Kind{Name: "an updated shuttle index", Limit: 64 << 20}
)

func updateFile() (string, error) {
	dir, err := files.ProcessEnv().DataDir()
	return filepath.Join(dir, "shuttles.json"), err
}

// newest returns the newer one of the embedded index and the user's update.
func newest() (*Index, error) {
	path, err := updateFile()
	if err != nil {
		return builtIn()
	}
	text, err := kindUpdate.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return builtIn()
	}
	var u update
	if err == nil {
		err = json.Unmarshal(text, &u)
	}
	if err == nil && u.State <= builtInState {
		return builtIn()
	}
	var x *Index
	if err == nil {
		x, err = u.parse()
	}
	if err != nil {
		return nil, failure.Usagef("%s: %w; bench designs --update writes it again, and without it the built-in index "+
			"applies", path, err)
	}
	return x, nil
}

func builtIn() (*Index, error) {
	return (&update{builtInState, shuttlesText, designsText}).parse()
}

func (u *update) parse() (*Index, error) {
	x, err := parse(u.Shuttles, u.Designs)
	if err != nil {
		return nil, err
	}
	x.state = u.State
	return x, nil
}

// UpdateShuttles reads the index of a checkout of TinyTapeout/tinytapeout-index and saves it for later runs, unless the
// built-in one is as new. The error names the file at fault, and nothing is saved.
func UpdateShuttles(checkout string) (*Index, error) {
	dir := checkout
	if _, err := os.Stat(filepath.Join(dir, "index")); err == nil {
		dir = filepath.Join(dir, "index")
	}
	u, err := readCheckout(dir)
	if err != nil {
		return nil, failure.Usagef("%s: %w", checkout, err)
	}
	x, err := u.parse()
	switch {
	case err != nil:
		return nil, failure.Usagef("%s: %w", checkout, err)
	case u.State <= builtInState:
		return nil, failure.Usagef("%s is of %s, and the built-in index of %s: an update has to be newer", checkout,
			u.State, builtInState)
	}
	path, err := updateFile()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(u)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return x, files.Write(path, append(text, '\n'), files.Private)
}

// A listed is the index's list of shuttles, as far as it is used.
type listed struct {
	Updated  time.Time `json:"updated"`
	Shuttles []struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		PDK  string `json:"pdk"`
		ROM  string `json:"rom_data"`
	} `json:"shuttles"`
}

// A project is a design in a shuttle's file.
type project struct {
	Macro  string `json:"macro"`
	At     int    `json:"address"`
	Clock  int    `json:"clock_hz"`
	Danger string `json:"danger_level"`
	Repo   string `json:"repo"`
	Commit string `json:"commit"`
}

func readJSON(path string, into any) error {
	text, err := kindCheckout.Read(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nil
}

// readCheckout converts the index's files to tables.
func readCheckout(dir string) (*update, error) {
	var list listed
	if err := readJSON(filepath.Join(dir, "index.json"), &list); err != nil {
		return nil, err
	}
	var shuttles, designs strings.Builder
	shuttles.WriteString(strings.Join(shuttleFields, "\t") + "\n")
	designs.WriteString(strings.Join(designFields, "\t") + "\n")
	for _, s := range list.Shuttles {
		row(&shuttles, s.ID, s.Name, s.PDK, strings.ReplaceAll(strings.TrimRight(s.ROM, "\n"), "\n", " "))
		if s.ID != filepath.Base(s.ID) {
			return nil, fmt.Errorf("index.json: %q is no name of a shuttle", s.ID)
		}
		var of struct {
			Projects []project `json:"projects"`
		}
		if err := readJSON(filepath.Join(dir, s.ID+".json"), &of); err != nil {
			return nil, err
		}
		slices.SortFunc(of.Projects, func(a, b project) int {
			return cmp.Or(cmp.Compare(a.At, b.At), strings.Compare(a.Macro, b.Macro))
		})
		for _, p := range of.Projects {
			commit := knownText(p.Commit)
			row(&designs, s.ID, fmt.Sprint(p.At), p.Macro, fmt.Sprint(p.Clock), p.Danger,
				knownText(strings.TrimPrefix(p.Repo, "https://github.com/")), commit[:min(10, len(commit))])
		}
	}
	return &update{list.Updated.UTC().Format(time.DateOnly), shuttles.String(), designs.String()}, nil
}

// knownText returns a text, or "" for the index's mark of an unknown one.
func knownText(text string) string {
	if text == "N/A" {
		return ""
	}
	return text
}

func row(b *strings.Builder, fields ...string) {
	b.WriteString(strings.Join(fields, "\t") + "\n")
}
