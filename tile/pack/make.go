package pack

import (
	"archive/zip"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
)

// A Suite holds vectors for a design. They detect at least Detected of the Faults gate faults tried.
type Suite struct {
	Text             []byte
	Detected, Faults int
}

// A Search makes vectors for a design with state, or returns the zero Suite. Several searches run concurrently.
type Search func(*gates.Tile) (Suite, error)

// Make writes the pack of a shuttle's repository, which contains a folder for each design in projects. Unless search is
// nil, the pack includes vectors, and Make calls progress with the number of designs searched so far and in total.
func Make(repo string, w io.Writer, search Search, progress func(done, of int)) (*Index, error) {
	projects := filepath.Join(repo, "projects")
	folders, err := os.ReadDir(projects)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, failure.Usagef("%s is no folder with projects in it: give the repository of a shuttle, such as "+
			"tinytapeout-09; bench shuttle show lists a pack", repo)
	}
	if err != nil {
		return nil, failure.Usage(err)
	}
	m := &maker{projects: projects, index: Index{Format: Format, Designs: []Design{}, Excluded: []ExcludedDesign{}},
		licences: map[string][]byte{}}
	if err := m.readDanger(); err != nil {
		return nil, err
	}
	for _, f := range folders {
		dir, err := os.Stat(filepath.Join(projects, f.Name())) // follows a link to a folder
		if err != nil || !dir.IsDir() || !name().MatchString(f.Name()) {
			continue
		}
		if err := m.take(f.Name()); err != nil {
			return nil, err
		}
	}
	if len(m.index.Designs) == 0 {
		return nil, failure.Usagef("%s: no design has a netlist there, as projects/NAME/NAME.v", repo)
	}
	if search != nil {
		if err := m.search(search, progress); err != nil {
			return nil, err
		}
	}
	return &m.index, m.write(w)
}

func (m *maker) search(suite Search, progress func(done, of int)) error {
	m.suites = make([]Suite, len(m.index.Designs))
	var todo []int
	for i := range m.index.Designs {
		if !m.index.Designs[i].Combinational {
			todo = append(todo, i)
		}
	}
	done := 0
	progress(done, len(todo))
	var mu sync.Mutex // guards progress
	return failure.RunInGroups(context.Background(), todo, 1, func(some []int) error {
		d := &m.index.Designs[some[0]]
		t, _, err := m.open(d.Name)
		if err != nil {
			return err
		}
		s, err := suite(t)
		if m.suites[some[0]] = s; s.Text != nil {
			d.Suite, d.DetectedFaults, d.Faults = fmt.Sprintf("%x", sha256.Sum256(s.Text)), s.Detected, s.Faults
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		progress(done, len(todo))
		return err
	})
}

// A maker collects designs.
type maker struct {
	projects string
	danger   map[string]struct{ Level string } // from danger_level.yaml, by design
	index    Index
	suites   []Suite           // suites of the designs; nil without a search
	licences map[string][]byte // by their SHA-256
}

// readDanger reads the danger levels of the designs, if the repository has them.
func (m *maker) readDanger() error {
	path := filepath.Join(m.projects, "danger_level.yaml")
	text, err := files.Project.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = yaml.Unmarshal(text, &m.danger)
	}
	if err != nil {
		return failure.Usagef("%s: %w", path, err)
	}
	return nil
}

func (m *maker) take(name string) error {
	d, err := m.design(name)
	switch {
	case err == nil:
		m.index.Designs = append(m.index.Designs, *d)
	case failure.KindOf(err) == failure.User:
		why := strings.ReplaceAll(err.Error(), m.projects+"/", "")
		why = strings.TrimPrefix(why, name+"/"+name+".v: ")
		why, _, _ = strings.Cut(why, ", so there is nothing to compare") // omit advice on naming a tile
		m.index.Excluded = append(m.index.Excluded, ExcludedDesign{name, why})
	default:
		return err
	}
	return nil
}

func (m *maker) open(name string) (t *gates.Tile, text []byte, err error) {
	netlist := filepath.Join(m.projects, name, name+".v")
	if _, err := os.Stat(netlist); errors.Is(err, fs.ErrNotExist) {
		return nil, nil, failure.Usagef("it has no netlist")
	}
	p, err := project.Open(netlist)
	if err != nil {
		return nil, nil, err
	}
	if text, err = files.Verilog.Read(netlist); err == nil {
		t, err = gates.OpenText(p, text)
	}
	return t, text, failure.Usage(err)
}

func (m *maker) design(name string) (*Design, error) {
	t, text, err := m.open(name)
	switch {
	case err != nil:
		return nil, err
	case len(t.Design.Macros) > 0:
		return nil, failure.Usagef("it has macros, whose outputs are unknown: %s",
			strings.Trim(fmt.Sprint(t.Design.Macros), "[]"))
	}
	isCell := func(p sim.Part) bool { return p.Type != "" }
	if !slices.ContainsFunc(t.Design.Circuit.Parts, isCell) {
		return nil, failure.Usagef("it has no standard cell: it is analog, or empty")
	}
	p, program := t.About, t.Design.Program()
	_, free := t.FreeInputs()
	d := &Design{Name: name, Title: p.Title, Author: p.Author, ClockHz: p.ClockHz, Danger: m.danger[name].Level,
		Netlist: fmt.Sprintf("%x", sha256.Sum256(text)), Combinational: free,
		Flops: program.FlopCount(), Latches: program.LatchCount()}
	dir := filepath.Join(m.projects, name)
	return d, cmp.Or(m.licence(dir, d), m.commit(dir, d))
}

func (m *maker) licence(dir string, d *Design) error {
	text, err := files.Project.Read(filepath.Join(dir, "LICENSE"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		d.Licence = fmt.Sprintf("%x", sha256.Sum256(text))
		m.licences[d.Licence] = text
	}
	return failure.Usage(err)
}

// commit reads the design's origin from commit_id.json, if that exists.
func (m *maker) commit(dir string, d *Design) error {
	text, err := files.Project.Read(filepath.Join(dir, "commit_id.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var of struct{ Repo, Commit string }
	if err == nil {
		err = json.Unmarshal(text, &of)
	}
	if err != nil {
		return failure.Usagef("commit_id.json: %w", err)
	}
	d.Repository, d.Commit = of.Repo, of.Commit
	return nil
}

func (m *maker) write(w io.Writer) error {
	to := zip.NewWriter(w)
	index, err := json.MarshalIndent(&m.index, "", " ")
	err = cmp.Or(err, add(to, IndexName, append(index, '\n')))
	for _, digest := range slices.Sorted(maps.Keys(m.licences)) {
		err = cmp.Or(err, add(to, licenceFile(digest), m.licences[digest]))
	}
	for i, d := range m.index.Designs {
		for _, file := range []string{"info.yaml", d.Name + ".v"} {
			text, unread := os.ReadFile(filepath.Join(m.projects, d.Name, file))
			if errors.Is(unread, fs.ErrNotExist) {
				text, unread = []byte(fmt.Sprintf("project:\n  top_module: %s\n", d.Name)), nil
			}
			err = cmp.Or(err, unread, add(to, d.Name+"/"+file, text))
		}
		if d.Suite != "" {
			err = cmp.Or(err, add(to, d.Name+"/"+suiteName, m.suites[i].Text))
		}
	}
	return cmp.Or(err, to.Close())
}
