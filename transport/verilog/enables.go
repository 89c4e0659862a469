package verilog

import (
	"regexp"
	"strconv"
	"strings"
)

// enables gives the lines of uio that a module may drive and those that it always drives, by the constants that its
// text assigns to uio_oe. A line without a constant may be driven.
func enables(text, top string) (may, always uint8) {
	may = 0xFF
	for _, statement := range assigns.FindAllString(bodyOf(text, top), -1) {
		for _, m := range assignsEnable.FindAllStringSubmatch(statement, -1) {
			high, low := 7, 0
			if m[1] != "" {
				high, _ = strconv.Atoi(m[1]) // a digit
				if low = high; m[2] != "" {
					low, _ = strconv.Atoi(m[2])
				}
			}
			width := high - low + 1
			value, ok := constant(m[3], width)
			if !ok || width < 1 {
				continue
			}
			mask := uint8(1<<width-1) << low
			may, always = may&^mask|uint8(value)<<low, always&^mask|uint8(value)<<low
		}
	}
	return may, always
}

var (
	assigns       = regexp.MustCompile(`\bassign\b[^;]*;`)
	assignsEnable = regexp.MustCompile(`(?:\bassign|,)\s*uio_oe\s*(?:\[\s*([0-7])\s*(?::\s*([0-7])\s*)?\])?\s*=` +
		`\s*(\{[^={};]*(?:\{[^{}]*\}[^={};]*)*\}|[^,;={}]+?)\s*[,;]`)
	number     = regexp.MustCompile(`^(\d*)\s*'[sS]?([bBoOdDhH])\s*([0-9a-fA-F_]+)$`)
	replicated = regexp.MustCompile(`^\{\s*(\d+)\s*\{([^{}]*)\}\s*\}$`)
)

// bodyOf is the text of a module without comments.
func bodyOf(text, name string) string {
	text = commentOrString.ReplaceAllString(lineOfFile.ReplaceAllString(text, ""), " ")
	at := regexp.MustCompile(`\bmodule\s+` + regexp.QuoteMeta(name) + `\b`).FindStringIndex(text)
	if at == nil {
		return ""
	}
	body, _, _ := strings.Cut(text[at[0]:], "endmodule")
	return body
}

// constant is the value of an expression of so many bits; ok is false for one that is no plain constant.
func constant(text string, width int) (value uint64, ok bool) {
	switch text = strings.TrimSpace(text); {
	case text == "'0":
		return 0, true
	case text == "'1":
		return 1<<width - 1, true
	case strings.HasPrefix(text, "{"):
		value, ok = joined(text)
	default:
		value, _, ok = sized(text)
	}
	return value & (1<<width - 1), ok
}

// joined is the value of a concatenation of sized constants.
func joined(text string) (value uint64, ok bool) {
	times, inside := 1, strings.Trim(text, "{} ")
	if m := replicated.FindStringSubmatch(text); m != nil {
		times, _ = strconv.Atoi(m[1])
		inside = m[2]
	}
	if strings.ContainsAny(inside, "{}") || times > 8 {
		return 0, false
	}
	for range times {
		for part := range strings.SplitSeq(inside, ",") {
			v, width, ok := sized(strings.TrimSpace(part))
			if !ok || width == 0 {
				return 0, false
			}
			value = value<<width | v&(1<<width-1)
		}
	}
	return value, true
}

// sized is a number with its width, 0 if it has none.
func sized(text string) (value uint64, width int, ok bool) {
	if v, err := strconv.ParseUint(text, 10, 32); err == nil {
		return v, 0, true
	}
	m := number.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, false
	}
	base := map[string]int{"b": 2, "o": 8, "d": 10, "h": 16}[strings.ToLower(m[2])]
	value, err := strconv.ParseUint(strings.ReplaceAll(m[3], "_", ""), base, 32)
	if err != nil {
		return 0, 0, false
	}
	width, _ = strconv.Atoi(m[1]) // 0 if it says none
	return value, width, width <= 32
}
