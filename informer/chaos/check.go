package chaos

import "example.com/watchglass"

// got checks that a call has its objects. One without cannot be checked further.
func (c *Checker) got(call string, objs ...watchglass.Object) bool {
	for _, obj := range objs {
		if watchglass.IsNil(obj) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.breaks("the handler is told of %s without an object: %T is nil", call, obj)
			return false
		}
	}
	return true
}

// added checks an add.
func (c *Checker) added(obj watchglass.Object, isInInitialList bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := c.key(obj)
	if known, ok := c.told[key]; ok {
		c.breaks("%s is added, but the handler already knows %s", name(key, obj), name(key, known))
	}
	if isInInitialList && c.hasSynced() {
		c.breaks("%s of the initial list is added after the registration has synced", name(key, obj))
	}
	c.told[key] = obj
	c.atLeastAsNew(key, obj)
}

// notSynced checks the end of an add of the initial list.
func (c *Checker) notSynced(obj watchglass.Object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hasSynced() {
		c.breaks("the registration has synced while %s of the initial list was being added",
			name(c.key(obj), obj))
	}
}

// updated checks an update. Old and new must have the same key, and old must have the version that
// the handler was told last. It may be another copy of that version, because updates that change
// nothing do not go to all handlers.
func (c *Checker) updated(oldObj, newObj watchglass.Object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := c.key(newObj)
	known, ok := c.told[key]
	switch {
	case c.key(oldObj) != key:
		c.breaks("%s is updated to %s: two keys", name(c.key(oldObj), oldObj), name(key, newObj))
	case !ok:
		c.breaks("%s is updated, but the handler does not know the object", name(key, newObj))
	case known.GetResourceVersion() != oldObj.GetResourceVersion():
		c.breaks("%s is updated from version %s, but the handler knows %s",
			name(key, newObj), oldObj.GetResourceVersion(), name(key, known))
	}
	c.told[key] = newObj
	c.atLeastAsNew(key, newObj)
}

// deleted checks a deletion.
func (c *Checker) deleted(obj watchglass.Object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := c.key(obj)
	known, ok := c.told[key]
	switch {
	case !ok:
		c.breaks("%s is deleted, but the handler does not know the object", name(key, obj))
	case older(obj, known):
		c.breaks("%s is deleted, but the handler knows the newer %s", name(key, obj), name(key, known))
	}
	delete(c.told, key)
	delete(c.absent, key)
	c.goneOrNewer(key, obj, known)
}

// atLeastAsNew checks what the cache holds while the handler is told of obj: that version or a
// newer one, or nothing if the object has been deleted since. After a call during which the cache
// held nothing, it may hold only a newer version until the handler is told of the deletion. If it
// holds the version of the call, the handler was told of the object before the cache held it.
func (c *Checker) atLeastAsNew(key string, obj watchglass.Object) {
	held, ok, _ := c.cache.GetByKey(key) // the error is always nil
	switch {
	case !ok:
		c.absent[key] = true
	case older(held, obj):
		c.breaks("the handler is told of %s, but the cache holds the older %s",
			name(key, obj), name(key, held))
	case c.absent[key] && held.GetResourceVersion() == obj.GetResourceVersion():
		c.breaks("the handler was told of %s before the cache held it", name(key, obj))
	}
}

// goneOrNewer checks what the cache holds while the handler is told of a deletion: nothing, or an
// object that was created since. A tombstone has no version; its place is taken by known, the state
// that the handler was told last.
func (c *Checker) goneOrNewer(key string, obj, known watchglass.Object) {
	held, ok, _ := c.cache.GetByKey(key) // the error is always nil
	if !ok {
		return
	}
	last := obj
	if obj.GetResourceVersion() == "" && known != nil {
		last = known
	}
	if order, ok := compare(held, last); ok && order <= 0 {
		c.breaks("the handler is told that %s is deleted, but the cache still holds %s",
			name(key, obj), name(key, held))
	}
}

// compare checks that the handler knows the same objects as the cache, in the same versions.
func (c *Checker) compare(list []watchglass.Object) {
	inCache := map[string]bool{}
	for _, held := range list {
		key := c.key(held)
		inCache[key] = true
		known, ok := c.told[key]
		switch {
		case !ok:
			c.breaks("the cache holds %s, but the handler does not know it", name(key, held))
		case known.GetResourceVersion() != held.GetResourceVersion():
			c.breaks("the cache holds %s, but the handler knows %s",
				name(key, held), name(key, known))
		case c.absent[key]: // the cache held nothing then, and no deletion was reported since
			c.breaks("the handler was told of %s before the cache held it", name(key, known))
		}
	}
	for key, known := range c.told {
		if !inCache[key] {
			c.breaks("the handler knows %s, but the cache does not hold it", name(key, known))
		}
	}
}

func (c *Checker) key(obj watchglass.Object) string {
	key, err := watchglass.MetaNamespaceKeyFunc(obj)
	if err != nil {
		c.breaks("the handler is told of an object without a key: %w", err)
	}
	return key
}

// name shows an object as key@version. A tombstone has no version.
func name(key string, obj watchglass.Object) string {
	if version := obj.GetResourceVersion(); version != "" {
		return key + "@" + version
	}
	return key
}

// older reports whether a is an older state than b. It is false if their versions cannot be
// compared.
func older(a, b watchglass.Object) bool {
	order, ok := compare(a, b)
	return ok && order < 0
}

// compare compares the versions of two states, and reports whether they can be compared.
func compare(a, b watchglass.Object) (order int, ok bool) {
	order, err := watchglass.CompareResourceVersion(a.GetResourceVersion(), b.GetResourceVersion())
	return order, err == nil
}
