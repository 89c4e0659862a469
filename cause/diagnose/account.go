package diagnose

import "fmt"

// Account describes how much of a run a suspected fault explains, and how many errors it predicts that did not occur.
func Account(explained, differs, unseen int) string {
	text := "no error that was"
	switch {
	case unseen == 1:
		text = "1 error that was"
	case unseen > 1:
		text = fmt.Sprintf("%d errors that were", unseen)
	}
	return fmt.Sprintf("which explains %d of the %d bits that differ, and predicts %s not seen", explained, differs,
		text)
}
