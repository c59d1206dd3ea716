package tape

import (
	"fmt"
	"path"
	"slices"
)

// Lesson is what the page begins with: a story that a machine has played, a sentence that says
// where to look, and a question that is asked before anything happens.
type Lesson struct {
	Name     string   `json:"name"` // in addresses
	Title    string   `json:"title"`
	Look     string   `json:"look"`
	Question string   `json:"question"`
	Answers  []string `json:"answers"`
	Right    int      `json:"right"` // the index of the right answer
	Proof    string   `json:"proof"` // the text of the event that shows it
	From     string   `json:"-"`     // of that at which the subject begins; "": event 0
	Beats    []string `json:"-"`     // of those at which a step stops, in order; none: at each event
	Story    string   `json:"-"`     // its file, from the top of the module
	Queue    string   `json:"-"`
}

const (
	ofInformer = "informer/testdata/"
	ofPage     = "docs/tools/tape/scenes/"
)

// Lessons are the scenes, in the order of their tabs.
var Lessons = []Lesson{
	{Name: "first-list", Title: "first list", Story: ofInformer + "01_first_list_and_sync.story",
		Look: "Here is an informer, between an API server and your handlers, before it starts. Two " +
			"widgets will be on the server. Look at the queue, and at the cache.",
		Question: "When has the informer synced?",
		Answers: []string{"When the server has answered the list.",
			"When the whole list is queued.",
			"When the whole list has been processed into the cache.",
			"When the handler has been called with the whole list."},
		Right: 2, Proof: "the informer has synced"},
	{Name: "update", Title: "an update",
		Story: ofInformer + "02_update_and_delete_over_the_watch.story",
		Look: "An object will change while the informer watches. Follow its mark from the server to " +
			"the handler.",
		Question: "What does the reflector send to the server when the object has changed?",
		Answers: []string{"Nothing: the frame comes on the watch that is open.",
			"A get of the object, because the frame has only its name.",
			"A new watch, from the version of the change.",
			"A list, to compare with the cache."},
		Right: 0, Proof: "MODIFIED web-1@3"},
	{Name: "slow-handler", Title: "a slow handler",
		Story: ofInformer + "04_a_slow_handler_delays_no_other.story",
		Look: "One handler takes a minute for each call. Look at the two rings of the processor, " +
			"and at the cache.",
		Question: "Three objects are created. What has to wait for the slow handler?",
		Answers: []string{"The cache: it takes an object when all handlers are done with it.",
			"The fast handler: both are called in turn.",
			"The watch: the reflector reads on when the queue is empty.",
			"Only what the slow handler itself is still to be told."},
		Right: 3, Proof: "slow: 2 wait"},
	{Name: "late-handler", Title: "a late handler",
		Story: ofInformer + "03_a_late_handler_gets_what_the_cache_holds.story",
		Look: "A handler will join when the informer runs and web-1 has changed once. Look at " +
			"the column of the server while it joins.",
		Question: "What is the handler called with first?",
		Answers: []string{"An add of web-1 as it was first, then an update.",
			"An add of web-1 as it is now.",
			"An update of web-1, from the old state to the new.",
			"Nothing, until web-1 changes again."},
		Right: 1, Proof: "added web-1@3, in the initial list"},
	{Name: "lost-deletion", Title: "a lost deletion",
		Story: ofInformer + "07_compaction_relists_and_finds_the_deletion.story",
		Look: "The connection will be cut, web-2 deleted, and the history of the server forgotten. " +
			"Look at what the queue makes of the next list.",
		Question: "How does the handler learn that web-2 is gone?",
		Answers: []string{"The next watch begins with its DELETED frame.",
			"The server answers 410 for web-2 alone.",
			"The queue finds it in the cache and not in the list.",
			"It does not, before the informer is started anew."},
		Right: 2, Proof: "web-2: Deleted tombstone of web-2@3"},
	{Name: "broken-frame", Title: "a broken frame", Story: ofPage + "a_frame_breaks_off.story",
		Look: "A frame will break off in its middle. Look at the version from which the reflector " +
			"watches again.",
		Question: "What happens to the change that was in the broken frame?",
		Answers: []string{"It is lost until the next resync.",
			"It arrives with the next watch, which begins before it.",
			"It arrives with a list: a watch cannot repeat a frame.",
			"The half that came is applied, and the rest follows."},
		Right: 1, Proof: "MODIFIED web-1@3"},
	{Name: "resync", Title: "a resync", Story: ofInformer + "11_a_resync_sends_no_request.story",
		Look: "The informer resyncs every 30 seconds. Look at the server and at the two handlers, " +
			"of which one has asked for no resyncs.",
		Question: "What does a resync tell the handlers?",
		Answers: []string{"What has changed on the server since the last resync.",
			"Which objects differ between cache and server.",
			"What the cache holds, as adds.",
			"What the cache holds, as updates that change nothing."},
		Right: 3, Proof: "updated web-1@2 from version 2"},
	{Name: "panic", Title: "a panic", Story: ofInformer + "12_a_handler_panics.story",
		Look: "One handler will panic when it is called with db-1. Look at what it is called with " +
			"next, and when.",
		Question: "What becomes of the call that has panicked?",
		Answers: []string{"It counts as made, and the next object follows after a second.",
			"It is repeated until it succeeds.",
			"It goes back into the queue, behind web-1.",
			"The handler is removed, and the others go on."},
		Right: 0, Proof: "shaky has synced"},
	{Name: "stop-and-start", Title: "stop and start", Story: ofPage + "stop_and_start.story",
		Look: "The informer will be stopped, db-1 deleted, and another informer started. Look at " +
			"what the same handler is called with.",
		Question: "What does the second informer tell the handler of db-1?",
		Answers: []string{"That it was deleted, with a tombstone.",
			"That it was deleted, as soon as the watch is open.",
			"Nothing at all.",
			"That it was added, and then that it was deleted."},
		Right: 2, Proof: "1 object, version 4"},
	{Name: "ordered-queue", Title: "the ordered queue", Queue: RealFIFO,
		Story: ofPage + "an_ordered_queue.story",
		Look: "The queue is a RealFIFO, and valve V2 will hold the process loop while three " +
			"changes come. Look at the places that they take in the queue.",
		Question: "web-1, db-1 and web-1 again change. What is the handler called with?",
		Answers: []string{"Three updates: web-1, db-1, web-1.",
			"Three updates: web-1, web-1, db-1.",
			"Two updates: web-1 in its last state, then db-1.",
			"Two updates: db-1, then web-1 in its last state."},
		Right: 0, Proof: "updated web-1@6 from version 4"},
}

// Record plays the lesson's story, which it reads in source.
func (l *Lesson) Record(source *Source) (*Tape, error) {
	text, err := source.ReadFile(l.Story)
	if err != nil {
		return nil, fmt.Errorf("the story of lesson %s: %w", l.Name, err)
	}
	return Record(Story{Name: path.Base(l.Story), Text: string(text), Queue: l.Queue}, source)
}

// Moments are the events of a tape that its lesson names, by their numbers.
type Moments struct {
	From  int   `json:"from"`
	Beats []int `json:"beats"` // in ascending order
	Proof int   `json:"proofAt"`
}

// On finds the moments of a lesson on its tape. From is the first event with its text. Each beat is
// the first with its text that is later than From and than the beat before. The proof is the first
// with its text that is not before From. A text that is not found is an error.
func (l *Lesson) On(tape *Tape) (m Moments, err error) {
	find := func(what, text string, after int) int {
		i := slices.IndexFunc(tape.Events[after:], func(e *Event) bool { return e.Text == text })
		if i < 0 && err == nil {
			err = fmt.Errorf("lesson %s: no event after %d has the text of its %s, %q", l.Name, after-1,
				what, text)
		}
		return max(i, 0) + after
	}
	if l.From != "" {
		m.From = find("from", l.From, 0)
	}
	m.Beats = []int{}
	last := m.From
	for _, text := range l.Beats {
		last = find("beats", text, min(last+1, len(tape.Events)))
		m.Beats = append(m.Beats, last)
	}
	m.Proof = find("proof", l.Proof, m.From)
	return m, err
}
