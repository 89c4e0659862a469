package export

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/runs/report"
	"utfbench/tile/utf"
)

func opened(t *testing.T) (rec *report.Recording, suite *golden.Suite) {
	t.Helper()
	text, err := golden.FS().Open("man7.vec")
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	all := testkit.Must(io.ReadAll(text))(t)
	if suite, err = golden.Parse("secret/folder/own.vec", string(all), utf.Dialect); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "secret.rec")
	f := testkit.Must(os.Create(path))(t)
	defer f.Close()
	if err := report.NewWriter(f, suite).Start(report.Run{}); err != nil {
		t.Fatal(err)
	}
	if rec, err = report.Open(path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec, suite
}

// The zip contains each vector that did not pass, once, and no others. No name in it reveals the recording's path.
func TestBundle(t *testing.T) {
	rec, suite := opened(t)
	b := Bundle{Recording: rec, Tile: utf.TT09, DoctorOutput: []byte("all is well\n"), Version: "bench 1",
		Judge: func(text io.Writer, told report.Reporters) error {
			for i, verdict := range []driver.Verdict{driver.Fail, driver.Pass, driver.Fail} {
				r := &driver.Result{Tile: utf.TT09, Vector: &suite.Vectors[i%2], Verdict: verdict, Iteration: 1 + i/2}
				if err := told[1].Result(r); err != nil {
					return err
				}
			}
			_, err := io.WriteString(text, "judged "+rec.Path+"\n")
			return err
		}}
	var out bytes.Buffer
	contents := testkit.Must(b.Write(&out))(t)
	z := testkit.Must(zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len())))(t)
	files := map[string]string{}
	var names []string
	for _, f := range z.File {
		r := testkit.Must(f.Open())(t)
		text, err := io.ReadAll(r)
		if err != nil || !strings.Contains(contents, f.Name) && f.Name != "README.txt" {
			t.Errorf("%s: %v, contents %q", f.Name, err, contents)
		}
		names, files[f.Name] = append(names, f.Name), string(text)
	}
	want := []string{"run.rec", "events.json", "report.txt", "vectors.txt", "suites/1-own.vec", "version.txt",
		"doctor.txt", "README.txt"}
	if !slices.Equal(names, want) {
		t.Errorf("the files are %q", names)
	}
	for name, want := range map[string]string{"report.txt": "judged run.rec\n", "version.txt": "bench 1\n",
		"doctor.txt": "all is well\n"} {
		if files[name] != want {
			t.Errorf("%s: %q, want %q", name, files[name], want)
		}
	}
	first, second := suite.Vectors[0].Name, suite.Vectors[1].Name
	if strings.Count(files["vectors.txt"], first+"\n") != 1 || strings.Contains(files["vectors.txt"], second+"\n") {
		t.Errorf("of %s and %s it shows\n%s", first, second, files["vectors.txt"])
	}
}

// Write returns the errors of judging and of writing.
func TestBundleFails(t *testing.T) {
	rec, _ := opened(t)
	trouble := errors.New("no judge")
	b := Bundle{Recording: rec, Tile: utf.TT09, Judge: func(io.Writer, report.Reporters) error { return trouble }}
	if _, err := b.Write(io.Discard); !errors.Is(err, trouble) {
		t.Error(err)
	}
	b.Recording.Path = "gone.rec"
	if _, err := b.Write(io.Discard); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// Whatever file name a recording contains, the names in the zip stay within their folder on every system.
func TestSafeName(t *testing.T) {
	for path, want := range map[string]string{
		"a/own.vec": "own.vec", `..\..\evil.vec`: "evil.vec", "../..": "", "C:evil": "evil", "a.vec:stream": "stream",
		"x\x00\u202e.vec": "x__.vec",
		"nul .":           "nul_", "CON": "CON", "": "",
	} {
		if got := safeName(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
}
