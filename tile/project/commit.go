package project

import "errors"

// ErrNoHistory means that the commit of a project's sources is unknown: they are in no Git repository, git is not
// installed, or the repository lacks the commit.
var ErrNoHistory = errors.New("the commit of these sources is unknown")
