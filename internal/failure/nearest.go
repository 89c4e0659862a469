package failure

import (
	"fmt"
	"strings"
)

// Nearest returns the word nearest to a mistyped one, the first of several, or "" if none is near. Up to a third of the
// letters may be wrong, and one in a short word. A word that begins with the typed letters, at least two, is nearer
// than one with two mistakes.
func Nearest(typed string, words []string) string {
	best, found := max(1, len(typed)/3)+1, ""
	for _, w := range words {
		if len(typed) > 1 && strings.HasPrefix(w, typed) && best > 1 {
			best, found = 1, w
		}
		if len(typed)-len(w) >= best || len(w)-len(typed) >= best {
			continue // the lengths differ by too much
		}
		if n := distance(strings.ToLower(typed), strings.ToLower(w)); n < best {
			best, found = n, w
		}
	}
	return found
}

// Hint returns " (did you mean WORD?)" for the nearest word, or "".
func Hint(typed string, words []string) string {
	if found := Nearest(typed, words); found != "" {
		return fmt.Sprintf(" (did you mean %s?)", found)
	}
	return ""
}

// distance returns the number of insertions, deletions, changes, or swaps of adjacent letters that turn a into b.
func distance(a, b string) int {
	var before []int // the row two letters ago
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			wrong := 1
			if a[i] == b[j] {
				wrong = 0
			}
			next[j+1] = min(row[j]+wrong, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
