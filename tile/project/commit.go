package project

import "errors"

// ErrNoHistory is a project of which nobody can tell which commit it is: it is in no Git repository, or git is not
// installed, or the repository has not that commit.
var ErrNoHistory = errors.New("the commit of these sources is unknown")
