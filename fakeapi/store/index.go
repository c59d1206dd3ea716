package store

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"sync/atomic"
)

// An index is a sorted map of objects by key. A snapshot of it is taken in constant time.
//
// Objects are in blocks of at most blockSize, so that an insertion moves a few
// hundred pointers and not all of them:
//
//	blocks ──▶ [ a b c ] [ d e ] [ f g h i ]
//
// Snapshots work by copy-on-write. A snapshot shares the list of blocks, and the
// blocks, with the index it was taken from. From then on, each of the two copies a
// block before it changes it for the first time, and changes the copy:
//
//	snapshot ──▶ [ a b c ] [ d e ] [ f g h i ]
//	                 ▲                  ▲
//	blocks ──────────┴───── [ d E ] ────┘          after a write of e
//
// The snapshots of the real watch cache are copy-on-write as well.
//
// Changing an index needs an exclusive lock, reading it a shared one. A snapshot
// is an index of its own and needs no lock.
type index struct {
	// blocks are never none, and none is empty unless it is the only one. All keys are in order,
	// within blocks and across them.
	blocks []*block

	// shared says that a snapshot has the same list of blocks. It is atomic, because
	// taking a snapshot sets it under the shared lock only.
	shared atomic.Bool
	// generation counts how often the list was copied. A block of this generation
	// was made since then, so no snapshot has it.
	generation uint64
}

// A block is a few objects in order of their keys.
type block struct {
	generation uint64
	objects    []Object
}

// blockSize is how many objects a block holds before it is split. A write after a
// snapshot copies one block, so it should not be too large.
const blockSize = 256

func newIndex() *index { return &index{blocks: []*block{{}}} }

// snapshot returns the index as it is now.
func (idx *index) snapshot() *index {
	idx.shared.Store(true)
	copied := &index{blocks: idx.blocks, generation: idx.generation}
	copied.shared.Store(true)
	return copied
}

// get returns the object under a key, nil if there is none.
func (idx *index) get(key string) Object {
	objects := idx.blocks[idx.block(key)].objects
	if at, found := find(objects, key); found {
		return objects[at]
	}
	return nil
}

// set puts o under its key, and returns the object that was there before, nil if there was none.
func (idx *index) set(o Object) (before Object) {
	key := o.Key()
	i := idx.block(key)
	b := idx.own(i)
	at, found := find(b.objects, key)
	if found {
		before, b.objects[at] = b.objects[at], o
		return before
	}
	b.objects = slices.Insert(b.objects, at, o)
	if len(b.objects) > blockSize {
		half := len(b.objects) / 2
		right := &block{idx.generation, slices.Clone(b.objects[half:])}
		clear(b.objects[half:]) // otherwise the array would keep them alive
		b.objects = b.objects[:half]
		idx.blocks = slices.Insert(idx.blocks, i+1, right)
	}
	return nil
}

// remove deletes the object under a key and returns it. There must be one.
func (idx *index) remove(key string) (before Object) {
	i := idx.block(key)
	b := idx.own(i)
	at, _ := find(b.objects, key)
	before = b.objects[at]
	b.objects = slices.Delete(b.objects, at, at+1)
	if len(b.objects) == 0 && len(idx.blocks) > 1 {
		idx.blocks = slices.Delete(idx.blocks, i, i+1)
	}
	return before
}

// own returns the block at i for a change of it or of the list: if a snapshot shares them,
// copies take their places first.
func (idx *index) own(i int) *block {
	if idx.shared.Load() {
		idx.blocks = slices.Clone(idx.blocks)
		idx.generation++
		idx.shared.Store(false)
	}
	if idx.blocks[i].generation != idx.generation {
		idx.blocks[i] = &block{idx.generation, slices.Clone(idx.blocks[i].objects)}
	}
	return idx.blocks[i]
}

// block returns the position of the block where a key is or would be: the last one that does
// not start above the key, or the first one.
func (idx *index) block(key string) int {
	return sort.Search(len(idx.blocks)-1, func(i int) bool {
		return idx.blocks[i+1].objects[0].Key() > key
	})
}

func find(objects []Object, key string) (at int, found bool) {
	return slices.BinarySearchFunc(objects, key, func(o Object, key string) int {
		return cmp.Compare(o.Key(), key)
	})
}

// from yields the objects whose keys are not below start, in order.
func (idx *index) from(start string) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		i := idx.block(start)
		at, _ := find(idx.blocks[i].objects, start)
		for ; i < len(idx.blocks); i, at = i+1, 0 {
			for _, o := range idx.blocks[i].objects[at:] {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// count returns how many keys are not below start.
func (idx *index) count(start string) int {
	i := idx.block(start)
	at, _ := find(idx.blocks[i].objects, start)
	n := -at
	for _, b := range idx.blocks[i:] {
		n += len(b.objects)
	}
	return n
}
