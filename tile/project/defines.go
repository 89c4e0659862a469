package project

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// readDefines puts the macros of the shuttle's flow, from src/config.json, before the author's own.
func (p *Project) readDefines() error {
	flow, err := flowDefines(filepath.Join(p.Dir, "src", "config.json"))
	p.Defines = append(flow, p.Defines...)
	return err
}

// flowDefines returns the macros that a configuration of the shuttle's flow sets, none if the file is missing.
func flowDefines(path string) ([]string, error) {
	text, err := files.Project.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var config struct {
		Defines json.RawMessage `json:"VERILOG_DEFINES"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return nil, failure.Usagef("%s: %w", path, err)
	}
	var list []string
	var words string
	switch {
	case config.Defines == nil, json.Unmarshal(config.Defines, &list) == nil:
		return list, nil
	case json.Unmarshal(config.Defines, &words) == nil: // the form of OpenLane 1
		return strings.Fields(words), nil
	}
	return nil, failure.Usagef("%s: VERILOG_DEFINES has to be a list of NAME or NAME=VALUE", path)
}
