package fakeapi

import (
	"cmp"
	"iter"
	"slices"
)

// A slot is the life of one key: its versions within the remembered history,
// as etcd keeps them. Reading a collection as it was at some version means
// looking, slot by slot, for the newest version not above it.
type slot struct {
	key      string
	versions []version // oldest first, strictly rising; never empty
}

// A version is what a key held from resource version at on.
type version struct {
	at  uint64
	doc *document // nil: deleted
}

// at is what the key held at version v: nil if there was nothing.
func (s *slot) at(v uint64) *document {
	for i := len(s.versions) - 1; i >= 0; i-- {
		if s.versions[i].at <= v {
			return s.versions[i].doc
		}
	}
	return nil
}

// present is what the key holds now: nil if it is deleted.
func (s *slot) present() *document { return s.versions[len(s.versions)-1].doc }

// trim drops the versions that only states before forgotten would show. It
// reports whether nothing is left but an old deletion: then the slot can go.
func (s *slot) trim(forgotten uint64) (empty bool) {
	n := 0
	for n+1 < len(s.versions) && s.versions[n+1].at <= forgotten {
		n++
	}
	if n > 0 {
		// A new array: re-slicing would keep the dropped documents alive.
		s.versions = slices.Clone(s.versions[n:])
	}
	last := s.versions[len(s.versions)-1]
	return last.doc == nil && last.at <= forgotten
}

// blockSize is how many slots a block holds before it is split.
const blockSize = 512

// An index holds slots by key and in order of their keys.
//
// The order is kept in blocks of at most blockSize slots, so that an insertion
// moves a few hundred pointers and not all of them.
type index struct {
	byKey  map[string]*slot
	blocks [][]*slot // none empty; keys rise within and across them
}

func newIndex() *index { return &index{byKey: map[string]*slot{}} }

// get is the slot of a key, nil if there is none.
func (x *index) get(key string) *slot { return x.byKey[key] }

// block is the position of the block where key is or would be.
func (x *index) block(key string) int {
	i, found := slices.BinarySearchFunc(x.blocks, key, func(b []*slot, key string) int {
		return cmp.Compare(b[0].key, key)
	})
	if !found && i > 0 {
		i-- // the last block that starts before key
	}
	return i
}

func find(b []*slot, key string) (int, bool) {
	return slices.BinarySearchFunc(b, key, func(s *slot, key string) int {
		return cmp.Compare(s.key, key)
	})
}

// insert adds a slot whose key is not there yet.
func (x *index) insert(s *slot) {
	x.byKey[s.key] = s
	if len(x.blocks) == 0 {
		x.blocks = [][]*slot{{s}}
		return
	}
	i := x.block(s.key)
	at, _ := find(x.blocks[i], s.key)
	b := slices.Insert(x.blocks[i], at, s)
	x.blocks[i] = b
	if len(b) > blockSize {
		half := len(b) / 2
		right := slices.Clone(b[half:])
		clear(b[half:])
		x.blocks[i] = b[:half]
		x.blocks = slices.Insert(x.blocks, i+1, right)
	}
}

// remove takes the slot of a key out. It has to be there.
func (x *index) remove(key string) {
	delete(x.byKey, key)
	i := x.block(key)
	at, _ := find(x.blocks[i], key)
	x.blocks[i] = slices.Delete(x.blocks[i], at, at+1)
	if len(x.blocks[i]) == 0 {
		x.blocks = slices.Delete(x.blocks, i, i+1)
	}
}

// from yields the slots whose keys are not below start, in order.
func (x *index) from(start string) iter.Seq[*slot] {
	return func(yield func(*slot) bool) {
		if len(x.blocks) == 0 {
			return
		}
		i := x.block(start)
		at, _ := find(x.blocks[i], start)
		for ; i < len(x.blocks); i, at = i+1, 0 {
			for _, s := range x.blocks[i][at:] {
				if !yield(s) {
					return
				}
			}
		}
	}
}
