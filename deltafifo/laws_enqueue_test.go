package deltafifo

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass"
)

func TestOrder(t *testing.T) {
	prove(t, []law{
		{"deltas of a key pile up, oldest first, until the key is popped", Options{}, func(r rig) {
			r.add("web-1@1")
			r.update("web-1@2", "web-1@3")
			r.shows("web-1: Added@1 Updated@2 Updated@3")
			assert.Equal(r, "web-1: Added@1 Updated@2 Updated@3", r.pop())
			r.shows()
		}},
		{"keys come out in the order of their first pending event", Options{}, func(r rig) {
			r.add("web-1@1", "web-2@2", "db-1@3")
			r.shows("web-1: Added@1", "web-2: Added@2", "db-1: Added@3")
		}},
		{"a later event does not move a queued key", Options{}, func(r rig) {
			r.add("web-1@1", "web-2@2")
			r.update("web-1@3", "web-2@4", "web-1@5")
			r.shows("web-1: Added@1 Updated@3 Updated@5", "web-2: Added@2 Updated@4")
		}},
		{"a popped key queues at the end again", Options{}, func(r rig) {
			r.add("web-1@1", "web-2@2")
			r.pop()
			r.update("web-1@3")
			r.shows("web-2: Added@2", "web-1: Updated@3")
		}},
		{"a key is queued once, however much is pending for it", Options{}, func(r rig) {
			r.add("web-1@1", "web-1@1", "web-1@1")
			assert.Equal(r, 1, r.Len())
		}},
		{"the same event twice is two deltas: only deletions are merged", Options{}, func(r rig) {
			r.update("web-1@1", "web-1@1")
			r.shows("web-1: Updated@1 Updated@1")
		}},
		{"Pop returns the object that was queued, not a copy", Options{}, func(r rig) {
			obj := object("web-1", "1")
			require.NoError(r, r.Add(obj))
			d, err := r.Pop(discard)
			require.NoError(r, err)
			assert.Same(r, obj, d.Newest().Object)
		}},
	})
}

func TestDelete(t *testing.T) {
	prove(t, []law{
		{"without known objects, a deletion of an object not queued is ignored", Options{}, func(r rig) {
			r.remove("web-1@1")
			r.shows()
		}},
		{"without known objects, a deletion of a queued object is queued", Options{}, func(r rig) {
			r.add("web-1@1")
			r.remove("web-1@2")
			r.shows("web-1: Added@1 Deleted@2")
		}},
		{"a deletion of a known object is queued", Options{KnownObjects: newKnown(at("web-1@1")...)},
			func(r rig) {
				r.remove("web-1@2")
				r.shows("web-1: Deleted@2")
			}},
		{"a deletion of an object that is queued but not known is queued: its add must not stay",
			Options{KnownObjects: newKnown()}, func(r rig) {
				r.add("web-1@1")
				r.remove("web-1@2")
				r.shows("web-1: Added@1 Deleted@2")
			}},
		{"a deletion of an object neither known nor queued is ignored", Options{KnownObjects: newKnown()},
			func(r rig) {
				r.remove("web-1@1")
				r.shows()
			}},
		{"an object whose look-up fails counts as known", Options{KnownObjects: newKnown()}, func(r rig) {
			r.known.failing["web-1"] = true
			r.remove("web-1@1")
			r.shows("web-1: Deleted@1")
		}},
		{"an add, a deletion and another add stay three deltas", Options{}, func(r rig) {
			r.add("web-1@1")
			r.remove("web-1@2")
			r.add("web-1@3")
			r.shows("web-1: Added@1 Deleted@2 Added@3")
		}},
	})
}

func TestMerge(t *testing.T) {
	tombstone := DeletedFinalStateUnknown{Key: "web-1", Obj: object("web-1", "1")}
	prove(t, []law{
		{"of two deletions in a row the older is kept", Options{}, func(r rig) {
			r.add("web-1@1")
			r.remove("web-1@2", "web-1@3")
			r.shows("web-1: Added@1 Deleted@2")
		}},
		{"a real final state replaces a tombstone", Options{}, func(r rig) {
			r.add("web-1@1")
			require.NoError(r, r.Delete(tombstone))
			r.remove("web-1@3")
			r.shows("web-1: Added@1 Deleted@3")
		}},
		{"a tombstone does not replace a real final state", Options{}, func(r rig) {
			r.add("web-1@1")
			r.remove("web-1@3")
			require.NoError(r, r.Delete(tombstone))
			r.shows("web-1: Added@1 Deleted@3")
		}},
		{"of two tombstones the newer is kept", Options{}, func(r rig) {
			r.add("web-1@1")
			require.NoError(r, r.Delete(tombstone))
			require.NoError(r, r.Delete(DeletedFinalStateUnknown{"web-1", object("web-1", "2")}))
			r.shows("web-1: Added@1 Deleted@unknown(last seen @2)")
		}},
		{"deletions with something between them are not merged", Options{}, func(r rig) {
			r.add("web-1@1")
			r.remove("web-1@2")
			r.update("web-1@3")
			r.remove("web-1@4")
			r.shows("web-1: Added@1 Deleted@2 Updated@3 Deleted@4")
		}},
	})
}

func TestKeyOf(t *testing.T) {
	upper := func(obj watchglass.Object) (string, error) {
		if obj.GetName() == "" {
			return "", errors.New("nameless")
		}
		return "key of " + obj.GetName(), nil
	}
	prove(t, []law{
		{"an object's key is what the key func returns", Options{KeyFunc: upper}, func(r rig) {
			key, err := r.KeyOf(object("web-1", "1"))
			require.NoError(r, err)
			assert.Equal(r, "key of web-1", key)
		}},
		{"a tombstone's key is the one that it holds", Options{KeyFunc: upper}, func(r rig) {
			key, err := r.KeyOf(DeletedFinalStateUnknown{Key: "as it was"})
			require.NoError(r, err)
			assert.Equal(r, "as it was", key)
		}},
		{"the key of Deltas is that of the newest delta", Options{}, func(r rig) {
			key, err := r.KeyOfDeltas(Deltas{
				{Added, object("web-1", "1")},
				{Deleted, DeletedFinalStateUnknown{Key: "web-2"}},
			})
			require.NoError(r, err)
			assert.Equal(r, "web-2", key)
		}},
		{"empty Deltas have no key", Options{}, func(r rig) {
			_, err := r.KeyOfDeltas(nil)
			var keyError *watchglass.KeyError
			assert.ErrorIs(r, err, ErrZeroLengthDeltas)
			assert.ErrorAs(r, err, &keyError)
		}},
		{"a key func's error becomes a KeyError", Options{KeyFunc: upper}, func(r rig) {
			nameless := object("", "1")
			var keyError *watchglass.KeyError
			require.ErrorAs(r, r.Add(nameless), &keyError)
			assert.Same(r, nameless, keyError.Obj)
			assert.EqualError(r, keyError.Err, "nameless")
			assert.EqualError(r, r.Add(nameless), "deltafifo: add: "+keyError.Error())
		}},
		{"an object without a key is refused by every method", Options{}, func(r rig) {
			nameless := object("", "1")
			assert.Error(r, r.Add(nameless))
			assert.Error(r, r.Update(nameless))
			assert.Error(r, r.Delete(nameless))
			assert.Error(r, r.Replace([]watchglass.Object{nameless}, "1"))
			assert.Error(r, r.AddIfNotPresent(Deltas{{Added, nameless}}))
			assert.Error(r, r.Add(nil))
			r.shows()
		}},
	})
}

func TestTransform(t *testing.T) {
	refuses := errors.New("refused")
	// The transform marks each object, so that an object that is transformed twice has two marks.
	mark := func(obj watchglass.Object) (watchglass.Object, error) {
		switch meta := obj.(*watchglass.ObjectMeta); meta.Name {
		case "bad":
			return nil, refuses
		case "void":
			return nil, nil
		default:
			return object(meta.Name, meta.ResourceVersion+"t"), nil
		}
	}
	with := func(list ...string) Options {
		return Options{Transform: mark, KnownObjects: newKnown(at(list...)...)}
	}
	prove(t, []law{
		{"every object is transformed once, before it is queued, deletions too", with(), func(r rig) {
			r.add("web-1@1")
			r.update("web-1@2")
			r.remove("web-1@3")
			r.replace("web-1@4")
			r.shows("web-1: Added@1t Updated@2t Deleted@3t Replaced@4t")
		}},
		{"neither a tombstone nor the object in it is transformed", with("web-1@1t", "web-2@1t"),
			func(r rig) {
				require.NoError(r, r.Delete(DeletedFinalStateUnknown{"web-1", object("web-1", "1t")}))
				r.replace()
				r.shows("web-1: Deleted@unknown(last seen @1t)", "web-2: Deleted@unknown(last seen @1t)")
			}},
		{"an object that a resync queues is not transformed again", with("web-1@1t"), func(r rig) {
			require.NoError(r, r.Resync())
			r.shows("web-1: Sync@1t")
		}},
		{"an object that the transform refuses is not queued; Add returns why", with(), func(r rig) {
			assert.ErrorIs(r, r.Add(object("bad", "1")), refuses)
			assert.EqualError(r, r.Update(object("bad", "1")),
				`deltafifo: update: transform "bad": refused`)
			r.shows()
		}},
		{"it is an error if the transform returns no object", with(), func(r rig) {
			assert.ErrorIs(r, r.Add(object("void", "1")), errNothingLeft)
			r.shows()
		}},
		{"the key is computed before the transform", Options{
			Transform: func(watchglass.Object) (watchglass.Object, error) { return object("", "1"), nil },
		}, func(r rig) {
			require.NoError(r, r.Add(object("web-1", "1")))
			r.shows("web-1: Added@1")
		}},
		{"a deletion that is ignored is not transformed", with(), func(r rig) {
			assert.NoError(r, r.Delete(object("bad", "1")), "ignored before the transform could refuse it")
		}},
	})
}
