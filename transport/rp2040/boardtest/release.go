//go:build unix

package boardtest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"utfbench/boards"
)

// A Release is a release of Tiny Tapeout's SDK, installed on a board's flash from a checkout.
type Release struct {
	Version string // 3.0.6
	folder  string
	files   map[string][]byte // by path on the board
}

// NewRelease returns the release checked out in BENCH_SDK, at its tag and with submodules, or skips the test.
func NewRelease(t testing.TB, more ...string) *Release {
	t.Helper()
	folder := os.Getenv("BENCH_SDK")
	if folder == "" {
		t.Skip("no SDK: check a release of Tiny Tapeout's tt-micropython-firmware out, and set BENCH_SDK to the folder")
	}
	r := &Release{folder: folder, files: map[string][]byte{}}
	tag := r.git(t, "describe", "--tags", "--exact-match")
	r.Version = strings.TrimPrefix(tag, "v")
	if r.frozen() {
		for _, name := range []string{"main.py", "config.ini", "examples"} {
			r.add(t, path.Join("src", name), name)
		}
		r.add(t, "bitstreams", "bitstreams")
		r.files["VERSION"] = fmt.Appendf(nil, "version=%s\nrevision=%s\n", r.Version, r.git(t, "rev-parse", "HEAD"))
	} else {
		r.add(t, "src", "")
		if r.has("microcotb") {
			r.add(t, "microcotb/src/microcotb", "microcotb")
		}
		r.files["release_"+tag] = nil
	}
	r.addIndices(t, more)
	return r
}

// frozen reports whether the SDK's code is in the firmware.
func (r *Release) frozen() bool { return r.Version >= "3" }

// HasShuttle reports whether the release contains an index of a shuttle's designs.
func (r *Release) HasShuttle(shuttle string) bool {
	_, ok := r.files["shuttles/"+shuttle+".json"]
	return ok
}

func (r *Release) has(name string) bool {
	_, err := os.Stat(filepath.Join(r.folder, name))
	return err == nil
}

func (r *Release) git(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", r.folder}, args...)...).Output()
	if err != nil {
		t.Fatalf("BENCH_SDK: git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// add adds a file or a folder of the checkout.
func (r *Release) add(t testing.TB, from, to string) {
	t.Helper()
	root := os.DirFS(r.folder)
	err := fs.WalkDir(root, from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		onBoard := strings.TrimPrefix(path.Join("/", to, strings.TrimPrefix(name, from)), "/")
		r.files[onBoard], err = fs.ReadFile(root, name)
		return err
	})
	if err != nil {
		t.Fatalf("BENCH_SDK: %v", err)
	}
}

var supported = regexp.MustCompile(`TT_RUNS_SUPPORTED: "(.*)"`)

// addIndices makes indices of designs for the release's shuttles, as the SDK's release workflow does.
func (r *Release) addIndices(t testing.TB, more []string) {
	t.Helper()
	workflow, err := os.ReadFile(filepath.Join(r.folder, ".github/workflows/release.yml"))
	if err != nil {
		t.Fatalf("BENCH_SDK: %v", err)
	}
	names := supported.FindSubmatch(workflow)
	if names == nil {
		t.Fatal("BENCH_SDK: release.yml does not say which shuttles the release has")
	}
	for _, name := range append(strings.Fields(string(names[1])), more...) {
		text := index(t, name)
		r.files["shuttles/"+name+".json"] = text
		if r.has("bin/serialize_shuttle.py") {
			r.files["shuttles/"+name+".json.bin"] = r.serialize(t, name, text)
		}
	}
}

// serialize converts an index to its short form with the release's own script.
func (r *Release) serialize(t testing.TB, name string, index []byte) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".json")
	if err := os.WriteFile(file, index, 0o600); err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Abs(r.folder)
	if err != nil {
		t.Fatal(err)
	}
	script := exec.Command("python3", filepath.Join(folder, "bin/serialize_shuttle.py"), file)
	script.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH="+folder+"/src:"+folder+"/microcotb/src")
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("serialize_shuttle.py: %v\n%s", err, out)
	}
	short, err := os.ReadFile(file + ".bin")
	if err != nil {
		t.Fatal(err)
	}
	return short
}

// index returns a shuttle's index with the fields that a release uses. It omits titles, which the SDK uses only for
// Wokwi's designs.
func index(t testing.TB, name string) []byte {
	t.Helper()
	all := boards.Shuttles()
	// for an unknown shuttle
	designs := []boards.Design{{Name: "tt_um_chip_rom"}, {Name: "tt_um_factory_test", Number: 1}}
	if s := all.Shuttle(name); s != nil {
		designs = s.Designs()
	}
	type project struct {
		Macro   string `json:"macro"`
		Address int    `json:"address"`
		Title   string `json:"title"`
		Repo    string `json:"repo"`
		Commit  string `json:"commit"`
		Clock   int    `json:"clock_hz"`
		Danger  string `json:"danger_level,omitempty"`
	}
	var projects []project
	for _, d := range designs {
		projects = append(projects, project{d.Name, d.Number, "", "https://github.com/" + d.Repo, d.Commit,
			d.Clock, d.Danger})
	}
	text, err := json.Marshal(map[string]any{"id": name, "name": name, "projects": projects})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Start starts an emulated board with the release and waits for its prompt.
func (r *Release) Start(t testing.TB, c Config) *Emulator {
	t.Helper()
	e := StartEmulator(t, c, "--flash", r.image(t, c))
	e.AwaitPrompt(t)
	return e
}

// image returns a file, kept in the user's cache, with the flash of a board that has started once with the release.
func (r *Release) image(t testing.TB, c Config) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(cache, "utfbench", "flash")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	image := filepath.Join(folder, r.sum(t)+".img")
	if _, err := os.Stat(image); err == nil {
		return image
	}
	made := image + ".new"
	e := StartEmulator(t, c, "--save", made)
	r.copyTo(e.prompt(t))
	e.stop()
	if err := os.Rename(made, image); err != nil {
		t.Fatal(err)
	}
	return image
}

// sum returns a digest of firmware and release.
func (r *Release) sum(t testing.TB) string {
	t.Helper()
	firmware, err := os.ReadFile(filepath.Join(emulatorFolder(t), "firmware.bin"))
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	h.Write(firmware)
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		fmt.Fprintf(h, "%q %d\n", name, len(r.files[name]))
		h.Write(r.files[name])
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// copyTo writes the files through the REPL of a board that lacks them, and restarts the board.
func (r *Release) copyTo(p *prompt) {
	p.Helper()
	defer p.tty.Close()
	p.say("\r") // the prompt is lost if the board starts before the port is opened
	p.await(">>> ")
	p.raw()
	p.run("import os\nfrom binascii import a2b_base64 as decode")
	made := map[string]bool{".": true}
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		p.makeFolders(path.Dir(name), made)
		p.run(fmt.Sprintf("f = open('%s', 'wb')", name))
		for part := range slices.Chunk(r.files[name], 3000) {
			p.run(fmt.Sprintf("f.write(decode('%s'))", base64.StdEncoding.EncodeToString(part)))
		}
		p.run("f.close()")
	}
	p.say("\x02")
	p.await(">>> ")
	p.say("\x04")
	p.await("\r\n>>> ")
}

// makeFolders makes a folder on the board, and its parents, unless made contains them.
func (p *prompt) makeFolders(name string, made map[string]bool) {
	p.Helper()
	if made[name] {
		return
	}
	p.makeFolders(path.Dir(name), made)
	p.run(fmt.Sprintf("os.mkdir('%s')", name))
	made[name] = true
}
