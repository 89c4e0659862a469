package boards

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestCheckout compares a checkout of the index with the tables, which were made from its commit 7b2cf1e.
//
//	BENCH_INDEX  a checkout of TinyTapeout/tinytapeout-index
//	BENCH_UPDATE    writes the tables instead
func TestCheckout(t *testing.T) {
	dir := os.Getenv("BENCH_INDEX")
	if dir == "" {
		t.Skip("needs a checkout of TinyTapeout/tinytapeout-index: set BENCH_INDEX")
	}
	state, shuttles, designs, err := readCheckout(filepath.Join(dir, "index"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("BENCH_UPDATE") != "" {
		for name, text := range map[string]string{"shuttles.tsv": shuttles, "designs.tsv": designs} {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		t.Log("the tables are of ", state)
		return
	}
	if shuttles != shuttlesText || designs != designsText {
		t.Errorf("the index of %s differs from the embedded one", state)
	}
}

// listed holds the fields of the index's list of shuttles that the tables use.
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
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nil
}

func readCheckout(dir string) (state, shuttlesTable, designsTable string, err error) {
	var list listed
	if err := readJSON(filepath.Join(dir, "index.json"), &list); err != nil {
		return "", "", "", err
	}
	var shuttles, designs strings.Builder
	shuttles.WriteString(shuttleFields + "\n")
	designs.WriteString(designFields + "\n")
	for _, s := range list.Shuttles {
		row(&shuttles, s.ID, s.Name, s.PDK, strings.ReplaceAll(strings.TrimRight(s.ROM, "\n"), "\n", " "))
		var of struct {
			Projects []project `json:"projects"`
		}
		if err := readJSON(filepath.Join(dir, s.ID+".json"), &of); err != nil {
			return "", "", "", err
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
	return list.Updated.UTC().Format(time.DateOnly), shuttles.String(), designs.String(), nil
}

// knownText returns a text, or "" for the index's mark of an unknown text.
func knownText(text string) string {
	if text == "N/A" {
		return ""
	}
	return text
}

func row(b *strings.Builder, fields ...string) {
	b.WriteString(strings.Join(fields, "\t") + "\n")
}
