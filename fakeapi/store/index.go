package store

import (
	"cmp"
	"iter"
	"slices"
	"sync/atomic"
)

// An index is a sorted map of objects by key. A snapshot of it is taken in constant
// time.
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
	blocks []*block // none is empty; all keys are in order, within blocks and across them

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

// snapshot returns the index as it is now.
func (x *index) snapshot() *index {
	x.shared.Store(true)
	s := &index{blocks: x.blocks, generation: x.generation}
	s.shared.Store(true)
	return s
}

// get returns the object under a key, nil if there is none.
func (x *index) get(key string) Object {
	if len(x.blocks) == 0 {
		return nil
	}
	objects := x.blocks[x.block(key)].objects
	if at, found := find(objects, key); found {
		return objects[at]
	}
	return nil
}

// set puts o under its key, and returns the object that was there before, nil if there
// was none.
func (x *index) set(o Object) (before Object) {
	key := o.Key()
	if len(x.blocks) == 0 {
		x.ownBlocks()
		x.blocks = []*block{{x.generation, []Object{o}}}
		return nil
	}
	i := x.block(key)
	b := x.own(i)
	at, found := find(b.objects, key)
	if found {
		before, b.objects[at] = b.objects[at], o
		return before
	}
	b.objects = slices.Insert(b.objects, at, o)
	if len(b.objects) > blockSize {
		half := len(b.objects) / 2
		right := &block{x.generation, slices.Clone(b.objects[half:])}
		clear(b.objects[half:]) // otherwise the array would keep them alive
		b.objects = b.objects[:half]
		x.blocks = slices.Insert(x.blocks, i+1, right)
	}
	return nil
}

// remove deletes the object under a key and returns it. There must be one.
func (x *index) remove(key string) (before Object) {
	i := x.block(key)
	b := x.own(i)
	at, _ := find(b.objects, key)
	before = b.objects[at]
	b.objects = slices.Delete(b.objects, at, at+1)
	if len(b.objects) == 0 {
		x.blocks = slices.Delete(x.blocks, i, i+1)
	}
	return before
}

// ownBlocks makes the list of blocks the index's own, if a snapshot shares it.
func (x *index) ownBlocks() {
	if x.shared.Load() {
		x.blocks = slices.Clone(x.blocks)
		x.generation++
		x.shared.Store(false)
	}
}

// own returns the block at i for a change: if a snapshot shares it, a copy takes its
// place first.
func (x *index) own(i int) *block {
	x.ownBlocks()
	if x.blocks[i].generation != x.generation {
		x.blocks[i] = &block{x.generation, slices.Clone(x.blocks[i].objects)}
	}
	return x.blocks[i]
}

// block returns the position of the block where a key is or would be.
func (x *index) block(key string) int {
	i, found := slices.BinarySearchFunc(x.blocks, key, func(b *block, key string) int {
		return cmp.Compare(b.objects[0].Key(), key)
	})
	if !found && i > 0 {
		i-- // the last block that starts before key
	}
	return i
}

func find(objects []Object, key string) (at int, found bool) {
	return slices.BinarySearchFunc(objects, key, func(o Object, key string) int {
		return cmp.Compare(o.Key(), key)
	})
}

// from yields the objects whose keys are not below start, in order.
func (x *index) from(start string) iter.Seq[Object] {
	return func(yield func(Object) bool) {
		if len(x.blocks) == 0 {
			return
		}
		i := x.block(start)
		at, _ := find(x.blocks[i].objects, start)
		for ; i < len(x.blocks); i, at = i+1, 0 {
			for _, o := range x.blocks[i].objects[at:] {
				if !yield(o) {
					return
				}
			}
		}
	}
}

// count returns how many keys are not below start.
func (x *index) count(start string) int {
	if len(x.blocks) == 0 {
		return 0
	}
	i := x.block(start)
	at, _ := find(x.blocks[i].objects, start)
	n := -at
	for _, b := range x.blocks[i:] {
		n += len(b.objects)
	}
	return n
}
