package wave

import (
	"path/filepath"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/lazy"
)

var unnameable = lazy.Regexp(`[^A-Za-z0-9._+-]+`)

// SuiteName returns the name of a suite: the user's, or with "" that of the waveform. The error is bad input.
func SuiteName(name, path string) (string, error) {
	if name == "" {
		base := filepath.Base(path)
		name = strings.Trim(unnameable().ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), "-"), "-")
	}
	if unnameable().MatchString(name) || name == "" {
		return "", failure.Usagef("%q: letters, digits, '.', '_', '+' and '-' are allowed", name)
	}
	return name, nil
}

// ParseRule parses before or after; for "" it returns nil, so that the rule is determined from the waveform.
func ParseRule(text string) (*Rule, error) {
	rule := map[string]Rule{"before": Before, "after": After}
	if of, known := rule[text]; known {
		return &of, nil
	} else if text != "" {
		return nil, failure.Usagef("%q: allowed are before and after", text)
	}
	return nil, nil
}
