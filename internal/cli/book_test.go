package cli

import (
	"strings"
	"testing"
)

var book = Book{
	newChapter("Verdicts; a verdict\n\nPASS\nAll is well.\n\nERROR, E\nOne\nsentence.\n$ bench run\n$ bench doctor\n"),
	newChapter("Flags; a flag\n\nERROR\nA flag."),
}

// Find finds a word in each of its chapters and in each spelling.
func TestFind(t *testing.T) {
	book := append(book, newChapter("Lines; a line\n\nerror\nA line, in small letters."))
	for word, want := range map[string]int{"PASS": 1, "ERROR": 2, "error": 1, "Error": 3, "e": 1} {
		if found, err := book.Find(word); err != nil || len(found) != want {
			t.Errorf("%s: %d, %v", word, len(found), err)
		}
	}
	book = append(book, newChapter("Terms; a term\n\nstuck-at fault\nA fault.\n\nfault case\nA case."))
	if found, err := book.Find("fault"); err != nil || len(found) != 2 {
		t.Errorf("a part of two terms: %v, %v", found, err)
	}
	for word, want := range map[string]string{"ERORR": "did you mean ERROR?", "something": `no word "something": see`} {
		if found, err := book.Find(word); found != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", word, found, err)
		}
	}
}

// WriteText writes an entry with its chapter, its other spellings and its examples.
func TestText(t *testing.T) {
	found, err := book.Find("E")
	if err != nil {
		t.Fatal(err)
	}
	var text, list strings.Builder
	if err := found[0].WriteText(&text); err != nil {
		t.Fatal(err)
	}
	want := "ERROR is a verdict; also written E.\n  One sentence.\n    bench run\n    bench doctor\n"
	if text.String() != want {
		t.Errorf("%q", text.String())
	}
	if err := book.WriteList(&list); err != nil || list.String() != "Verdicts:\n  PASS, ERROR\nFlags:\n  ERROR\n" {
		t.Errorf("%v, %q", err, list.String())
	}
}

// indented writes no line wider than 80 columns, and loses no word.
func TestWrap(t *testing.T) {
	words := strings.Fields(strings.Repeat("some words to be put into lines ", 20))
	text := indented(strings.Join(words, " "))
	for line := range strings.Lines(text) {
		if len(line) > width+1 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if got := strings.Fields(text); strings.Join(got, " ") != strings.Join(words, " ") {
		t.Errorf("%q", got)
	}
}
