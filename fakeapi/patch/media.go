package patch

// The content types of the three kinds of patches.
const (
	MediaJSON      = "application/json-patch+json"
	MediaMerge     = "application/merge-patch+json"
	MediaStrategic = "application/strategic-merge-patch+json"
)
