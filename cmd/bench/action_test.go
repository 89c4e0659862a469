package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/testscript"
)

// An actionFile holds the fields of action.yml that GitHub's runner uses.
type actionFile struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Steps []struct {
			If, Run, Uses string
			Env           map[string]string
			With          map[string]string
		}
	}
}

// expression matches the expressions that the runner replaces.
var expression = regexp.MustCompile(`\$\{\{ *([a-z_.]+) *\}\}`)

// action implements `action CODE INPUT=VALUE...`: it runs the steps of action.yml. The first nonzero exit code must be
// CODE. The input ref is the tag of the action. The releases are in o/utfbench/releases/download.
func action(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: action CODE INPUT=VALUE...")
	}
	var file actionFile
	text, err := os.ReadFile(filepath.Join(root, "action.yml"))
	ts.Check(err)
	ts.Check(yaml.Unmarshal(text, &file))
	temp := ts.MkAbs("temp")
	ts.Check(os.MkdirAll(temp, 0o777))
	known := map[string]string{"github.action_ref": "", "github.action_repository": "o/utfbench", "github.job": "test",
		"github.server_url": "file://" + ts.MkAbs("."), "runner.temp": temp}
	for name, in := range file.Inputs {
		known["inputs."+name] = in.Default
	}
	for _, arg := range args[1:] {
		name, value, _ := strings.Cut(arg, "=")
		if name = "inputs." + name; name == "inputs.ref" {
			name = "github.action_ref"
		} else if _, is := known[name]; !is {
			ts.Fatalf("action.yml has no input %s", name)
		}
		known[name] = value
	}
	ts.Check(os.RemoveAll(filepath.Join(temp, "path")))
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	for _, step := range file.Runs.Steps {
		if step.Run == "" || got != 0 || step.If == "inputs.packages != ''" && known["inputs.packages"] == "" {
			continue
		}
		got = runStep(ts, temp, step.Run, step.Env, known)
	}
	if got != want {
		ts.Fatalf("the action ended with %d; want %d", got, want)
	}
}

// runStep runs a step as the runner does: PATH includes the entries that earlier steps wrote to GITHUB_PATH.
func runStep(ts *testscript.TestScript, temp, command string, env, known map[string]string) (code int) {
	added, _ := os.ReadFile(filepath.Join(temp, "path")) // missing at first
	words := []string{"GITHUB_ACTIONS=true", "GITHUB_ACTION_PATH=" + root, "RUNNER_TEMP=" + temp,
		"GITHUB_PATH=" + filepath.Join(temp, "path"),
		"GITHUB_OUTPUT=" + filepath.Join(temp, "output"),
		"PATH=" + strings.ReplaceAll(string(added), "\n", ":") + ts.Getenv("PATH")}
	for name, value := range env {
		words = append(words, name+"="+expression.ReplaceAllStringFunc(value, func(e string) string {
			text, is := known[expression.FindStringSubmatch(e)[1]]
			if !is {
				ts.Fatalf("nothing is known of %s", e)
			}
			return text
		}))
	}
	err := ts.Exec("env", append(words, "bash", "-e", "-o", "pipefail", "-c", command)...)
	if coded, is := err.(interface{ ExitCode() int }); is {
		return coded.ExitCode()
	}
	ts.Check(err)
	return 0
}
