package watchglass

import (
	"errors"
	"fmt"
)

// Unusable stands for an object of which only the identity is known: the rest does not fit its Go
// type, or a transform has failed for it. One bad object must not keep all others from the cache.
//
// It is an [Object], so that it can take the place of the object in a list. There it says that the
// object exists, so a queue must not conclude from the list that it was deleted. It is an error,
// too: a store that gets it leaves the object as it is, if it has it, and returns it, so that it is
// reported.
type Unusable struct {
	Namespace       string
	Name            string // never empty
	ResourceVersion string
	Err             error // why it cannot be used
}

// Error names the object, and says why it cannot be used. It does not print the content: errors are
// logged, and the object may be a Secret.
func (u *Unusable) Error() string {
	key, _ := MetaNamespaceKeyFunc(u)
	return fmt.Sprintf("%q at version %q cannot be used: %v", key, u.ResourceVersion, u.Err)
}

// Unwrap returns the cause, for errors.Is and errors.As.
func (u *Unusable) Unwrap() error { return u.Err }

// GetNamespace implements [Object].
func (u *Unusable) GetNamespace() string { return u.Namespace }

// GetName implements [Object].
func (u *Unusable) GetName() string { return u.Name }

// GetResourceVersion implements [Object].
func (u *Unusable) GetResourceVersion() string { return u.ResourceVersion }

// JoinUnusable returns one error for all of them, nil if there are none. It names ten at most: a
// list may hold thousands, if none fits.
func JoinUnusable(all []*Unusable) error {
	const most = 10
	var named []error
	for _, u := range all[:min(most, len(all))] {
		named = append(named, u)
	}
	if more := len(all) - most; more > 0 {
		named = append(named, fmt.Errorf("and %d more", more))
	}
	return errors.Join(named...)
}
