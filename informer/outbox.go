package informer

import "example.com/watchglass/processor"

// maxBatch bounds how much gathers before handlers hear of it. Larger batches are hardly cheaper.
const maxBatch = 128

// outbox gathers notifications, so that they are handed to the processor many at a time. Order is
// kept. Updates that changed nothing (a resync, or a relist of what is known) go only to handlers
// that are due for a resync, so a batch holds either such or the others, never both.
//
// The zero value with send set is ready. It is guarded by the informer's blockDeltas.
type outbox struct {
	batch []processor.Notification
	sync  bool // what batch holds: updates without a change, or all others
	send  func(batch []processor.Notification, sync bool)
}

func (o *outbox) put(n processor.Notification) {
	if sync := isSync(n); sync != o.sync {
		o.flush()
		o.sync = sync
	}
	o.batch = append(o.batch, n)
	if len(o.batch) == maxBatch {
		o.flush()
	}
}

// flush sends what has gathered. The batch belongs to the processor from then on.
func (o *outbox) flush() {
	if len(o.batch) > 0 {
		o.send(o.batch, o.sync)
		o.batch = nil
	}
}

// isSync tells a resync from a change by the resourceVersion alone, as client-go has since 0.24.
// The type of the delta plays no part: a relist of an unchanged object is as quiet as a resync, and
// a change that a server sends without a new version is taken for one.
func isSync(n processor.Notification) bool {
	return n.Old != nil && n.New != nil &&
		n.Old.GetResourceVersion() == n.New.GetResourceVersion()
}
