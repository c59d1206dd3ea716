package deltafifo

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

func TestReplace(t *testing.T) {
	prove(t, []law{
		{"a listed object becomes a Replaced delta, in the order of the list", Options{}, func(r rig) {
			r.replace("web-2@1", "web-1@1")
			r.shows("web-2: Replaced@1", "web-1: Replaced@1")
		}},
		{"a listed object joins what is pending for it", Options{}, func(r rig) {
			r.add("web-1@1")
			r.replace("web-1@2")
			r.shows("web-1: Added@1 Replaced@2")
		}},
		{"a listed object is queued behind its own pending deletion: it was created again",
			Options{KnownObjects: newKnown(at("web-1@1")...)}, func(r rig) {
				r.remove("web-1@2")
				r.replace("web-1@3")
				r.shows("web-1: Deleted@2 Replaced@3")
			}},
		{"an object listed twice has two deltas under one key", Options{}, func(r rig) {
			r.replace("web-1@1", "web-1@2")
			r.shows("web-1: Replaced@1 Replaced@2")
		}},
		{"the list is not kept", Options{}, func(r rig) {
			list := at("web-1@1")
			require.NoError(r, r.Replace(list, "1"))
			list[0] = object("web-9", "9")
			r.shows("web-1: Replaced@1")
		}},
		{"the resource version of the list makes no difference", Options{}, func(r rig) {
			require.NoError(r, r.Replace(at("web-1@9"), "not a number"))
			require.NoError(r, r.Replace(at("web-1@8"), ""))
			r.shows("web-1: Replaced@9 Replaced@8")
		}},
	})
}

func TestReplaceDeletesWhatIsQueued(t *testing.T) {
	prove(t, []law{
		{"queued and not listed: a tombstone with the newest state", Options{}, func(r rig) {
			r.add("web-1@1")
			r.update("web-1@2")
			r.replace("web-2@3")
			r.shows("web-1: Added@1 Updated@2 Deleted@unknown(last seen @2)", "web-2: Replaced@3")
		}},
		{"queued, not listed and not known: a tombstone all the same",
			Options{KnownObjects: newKnown()}, func(r rig) {
				r.add("web-1@1")
				r.replace()
				r.shows("web-1: Added@1 Deleted@unknown(last seen @1)")
			}},
		{"only in an earlier list: a tombstone", Options{KnownObjects: newKnown()}, func(r rig) {
			r.replace("web-1@1")
			r.replace("web-2@2")
			r.replace("web-3@3")
			r.shows("web-1: Replaced@1 Deleted@unknown(last seen @1)",
				"web-2: Replaced@2 Deleted@unknown(last seen @2)", "web-3: Replaced@3")
		}},
		{"queued by a resync, not listed: a tombstone", Options{KnownObjects: newKnown(at("web-1@1")...)},
			func(r rig) {
				require.NoError(r, r.Resync())
				r.replace()
				r.shows("web-1: Sync@1 Deleted@unknown(last seen @1)")
			}},
		{"deletion already queued: it is kept, no second one follows", Options{}, func(r rig) {
			r.add("web-1@1")
			r.remove("web-1@2")
			r.replace()
			r.shows("web-1: Added@1 Deleted@2")
		}},
		{"added, deleted, added, not listed: a tombstone after the last add", Options{}, func(r rig) {
			r.add("web-1@1")
			r.remove("web-1@2")
			r.add("web-1@3")
			r.replace()
			r.shows("web-1: Added@1 Deleted@2 Added@3 Deleted@unknown(last seen @3)")
		}},
		{"a tombstone never holds another tombstone", Options{KnownObjects: newKnown()},
			func(r rig) {
				r.add("web-1@1")
				r.replace()
				r.replace()
				r.shows("web-1: Added@1 Deleted@unknown(last seen @1)")
			}},
		{"each of several missing keys gets a deletion", Options{}, func(r rig) {
			r.add("web-2@1", "db-1@1", "web-1@1")
			r.replace("db-1@2")
			r.shows("web-2: Added@1 Deleted@unknown(last seen @1)", "db-1: Added@1 Replaced@2",
				"web-1: Added@1 Deleted@unknown(last seen @1)")
		}},
	})
}

func TestReplaceDeletesWhatIsKnown(t *testing.T) {
	two := func() Options { return Options{KnownObjects: newKnown(at("web-1@1", "web-2@1")...)} }
	prove(t, []law{
		{"known and not listed: a tombstone with the known object, after the additions", two(),
			func(r rig) {
				r.replace("web-3@9")
				r.shows("web-3: Replaced@9", "web-1: Deleted@unknown(last seen @1)",
					"web-2: Deleted@unknown(last seen @1)")
			}},
		{"known and listed: no deletion", two(), func(r rig) {
			r.replace("web-1@9", "web-2@9")
			r.shows("web-1: Replaced@9", "web-2: Replaced@9")
		}},
		{"known, queued and not listed: one deletion, with the queued state", two(), func(r rig) {
			r.update("web-1@5")
			r.replace("web-2@9")
			r.shows("web-1: Updated@5 Deleted@unknown(last seen @5)", "web-2: Replaced@9")
		}},
		{"known, deleted in the queue, not listed: the pending deletion is enough", two(), func(r rig) {
			r.remove("web-1@5")
			r.replace("web-2@9")
			r.shows("web-1: Deleted@5", "web-2: Replaced@9")
		}},
		{"known, deleted and added in the queue, not listed: a second deletion", two(), func(r rig) {
			r.remove("web-1@5")
			r.add("web-1@6")
			r.replace("web-2@9")
			r.shows("web-1: Deleted@5 Added@6 Deleted@unknown(last seen @6)", "web-2: Replaced@9")
		}},
		{"known, but the look-up fails: a tombstone without a state, and a line in the log", two(),
			func(r rig) {
				log := r.logged()
				r.known.failing["web-1"] = true
				r.replace("web-2@9")
				r.shows("web-2: Replaced@9", "web-1: Deleted@unknown(no state)")
				assert.Contains(r, log.String(), "key=web-1")
			}},
		{"listed as known, but gone when looked up: a tombstone without a state", two(), func(r rig) {
			r.known.ghosts = []string{"ghost"}
			r.replace("web-1@9", "web-2@9")
			r.shows("web-1: Replaced@9", "web-2: Replaced@9", "ghost: Deleted@unknown(no state)")
		}},
		{"the trace counts the deletions in the queue and those among the known objects", two(),
			func(r rig) {
				found := -1
				r.trace = Trace{Replaced: func(_ string, _, deletions int) { found = deletions }}
				r.add("db-1@3", "db-2@3", "db-3@3")
				r.replace("web-3@9")
				assert.Equal(r, 5, found, "three queued and two known objects are not in the list")
			}},
		{"nothing known and nothing queued: no deletion", Options{KnownObjects: newKnown()},
			func(r rig) {
				r.replace("web-1@9")
				r.shows("web-1: Replaced@9")
			}},
	})
}

func TestReplaceFails(t *testing.T) {
	refuses := errors.New("refused")
	options := func() Options {
		return Options{
			KnownObjects: newKnown(at("web-9@1")...),
			Transform: func(obj watchglass.Object) (watchglass.Object, error) {
				if obj.GetName() == "bad" {
					return nil, refuses
				}
				return obj, nil
			},
		}
	}
	prove(t, []law{
		{"objects before the refused one stay queued, nothing is deleted, nothing is counted",
			options(), func(r rig) {
				assert.ErrorIs(r, r.Replace(at("web-1@1", "bad@1", "web-2@1"), "1"), refuses)
				r.shows("web-1: Replaced@1")
				assert.False(r, r.progress.populated)
				assert.Zero(r, r.progress.initialPopulationCount)
				assert.False(r, r.HasSynced())
			}},
		{"an object without a key fails the list in the same way", options(), func(r rig) {
			assert.Error(r, r.Replace(at("web-1@1", "@1", "web-2@1"), "1"))
			r.shows("web-1: Replaced@1")
			assert.False(r, r.progress.populated)
		}},
		{"the next list finds deletions, and keys of the failed list are part of its population",
			options(), func(r rig) {
				assert.Error(r, r.Replace(at("web-1@1", "bad@1"), "1"))
				r.replace("web-2@2")
				r.shows("web-1: Replaced@1 Deleted@unknown(last seen @1)", "web-2: Replaced@2",
					"web-9: Deleted@unknown(last seen @1)")
				assert.Equal(r, 3, r.progress.initialPopulationCount)
			}},
	})
}

func TestResync(t *testing.T) {
	two := func() Options { return Options{KnownObjects: newKnown(at("web-2@1", "web-1@1")...)} }
	prove(t, []law{
		{"without known objects a resync does nothing", Options{}, func(r rig) {
			r.add("web-1@1")
			require.NoError(r, r.Resync())
			r.shows("web-1: Added@1")
		}},
		{"each known object gets a Sync delta, in the order of the keys", two(), func(r rig) {
			require.NoError(r, r.Resync())
			r.shows("web-1: Sync@1", "web-2: Sync@1")
		}},
		{"a key with pending deltas is left out: they are newer", two(), func(r rig) {
			r.update("web-2@5")
			require.NoError(r, r.Resync())
			r.shows("web-2: Updated@5", "web-1: Sync@1")
		}},
		{"a second resync in a row queues nothing", two(), func(r rig) {
			require.NoError(r, r.Resync())
			require.NoError(r, r.Resync())
			r.shows("web-1: Sync@1", "web-2: Sync@1")
		}},
		{"an object that is gone or can't be looked up is skipped, with a line in the log", two(),
			func(r rig) {
				log := r.logged()
				r.known.ghosts = []string{"ghost"}
				r.known.failing["web-1"] = true
				require.NoError(r, r.Resync())
				r.shows("web-2: Sync@1")
				assert.Contains(r, log.String(), "key=ghost")
				assert.Contains(r, log.String(), "key=web-1")
			}},
		{"a resync does not populate: the queue still waits for its list", two(), func(r rig) {
			require.NoError(r, r.Resync())
			assert.False(r, r.progress.populated)
			assert.False(r, r.HasSynced())
		}},
	})
}

// logged makes the queue log to the buffer it returns.
func (r rig) logged() *bytes.Buffer {
	var buf bytes.Buffer
	r.log = slog.New(slog.NewTextHandler(&buf, nil))
	r.slow.Logger = r.log
	return &buf
}
