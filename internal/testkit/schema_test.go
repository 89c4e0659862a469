package testkit

import "testing"

// A document with an additional, missing or mistyped field violates its schema.
func TestSchema(t *testing.T) {
	s := Schema(t, "doctor")
	for document, keeps := range map[string]bool{
		`{"schema":1,"bench":"v1","verdict":"PASS","layers":[{"layer":"board","ok":null,"text":""}]}`:          true,
		`{"schema":1,"bench":"v1","verdict":"PASS","layers":[]}`:                                               true,
		`{"schema":2,"bench":"v1","verdict":"PASS","layers":[]}`:                                               false,
		`{"schema":1,"verdict":"PASS","layers":[]}`:                                                            false,
		`{"schema":1,"bench":"v1","verdict":"PASS","layers":[],"more":1}`:                                      false,
		`{"schema":1,"bench":"v1","verdict":"PASS","layers":null}`:                                             false,
		`{"schema":1,"bench":"v1","verdict":"PASS","layers":[{"layer":"board","ok":null,"text":"","more":1}]}`: false,
		`{"schema":1,"bench":"v1","verdict":"PASS","layers":[]`:                                                false,
	} {
		if err := CheckSchema(s, document); (err == nil) != keeps {
			t.Errorf("%s: %v", document, err)
		}
	}
}
