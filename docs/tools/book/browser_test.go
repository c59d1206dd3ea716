package main

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/browser"
	"example.com/watchglass/docs/tools/repo"
)

// faulty finds what is wrong with a page: wider than its window, or text that can hardly be read.
const faulty = `(() => {` + browser.Contrast + `
	const found = []
	const main = document.querySelector('main') ?? document.body
	const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
	if (document.documentElement.scrollWidth > innerWidth) found.push('wider than its window')
	for (let n; n = walk.nextNode();) {
		const el = n.parentElement, css = getComputedStyle(el)
		if (!n.data.trim() || el.closest('svg, .anchor, .scene') || !el.checkVisibility()) continue
		const ratio = contrast(rgb(css.color), ground(el))
		if (ratio < 4.5) found.push('pale: ' + n.data.trim().slice(0, 40) + ' ' + ratio.toFixed(2))
	}
	return found.slice(0, 5)
})()`

// A book is made as make book makes it, and handed out by a web server that knows nothing of it.
func TestBrowserReadsTheBook(t *testing.T) {
	browser.Wanted(t)
	top, err := repo.Root()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, maker{t}.write(top, dir, ""))
	var asked sync.Map // the browser asks for several files at a time
	files := http.FileServer(http.Dir(dir))
	counted := func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.Path, true)
		files.ServeHTTP(w, r)
	}
	server := httptest.NewServer(http.StripPrefix("/below/", http.HandlerFunc(counted)))
	defer server.Close()
	url := server.URL + "/below/"
	p := browser.Open(t, "about:blank", "")
	visit := func(page string) {
		p.Call("Page.navigate", map[string]any{"url": page}, nil)
		p.Until(fmt.Sprintf("location.href === %q", page))
	}

	t.Run("no page is wider than a phone or hard to read", func(t *testing.T) {
		p.In(t)
		n := 0
		p.Size(390, 844)
		require.NoError(t, fs.WalkDir(os.DirFS(dir), ".",
			func(name string, _ fs.DirEntry, err error) error {
				isProse := strings.HasSuffix(name, ".story.html") || path.Dir(name) == "docs" ||
					!strings.Contains(name, "/")
				// Pages of code are alike.
				if n++; path.Ext(name) != ".html" || name == oneFile || !isProse && n%10 > 0 {
					return err
				}
				visit(url + strings.TrimSuffix(name, "index.html"))
				p.None(faulty, name)
				return err
			}))
	})
	t.Run("the first minute begins by itself, and its button stays where it is", func(t *testing.T) {
		for _, width := range []int{390, 640, 820, 1280} {
			p.In(t)
			p.Size(width, map[int]int{390: 664, 640: 844, 820: 1180, 1280: 800}[width])
			visit("about:blank")
			visit(url)
			says := func(words string) string {
				return fmt.Sprintf("document.querySelector('.says')?.textContent.includes(%q)", words)
			}
			at := func() (y float64) {
				p.Eval("document.querySelector('.minute .main').getBoundingClientRect().y + scrollY", &y)
				return y
			}
			p.Until(says("refuses"))
			y := at()
			p.Until("(b => b.scrollWidth <= b.clientWidth)(document.querySelector('.minute .main'))")
			p.Click(".minute .main", says("no event will ever tell it"))
			assert.Equal(t, y, at(), "at %d", width)
			p.Until("document.querySelector('.minute .cache [data-key=web-2]:not(.gone)')")
			p.Click(".minute .main", "document.querySelector('.minute .choices')")
			p.None("(r => r.bottom > innerHeight + 1 ? [`at ${r.bottom}`] : [])"+
				"(document.querySelector('.minute .choices').getBoundingClientRect())", "the question is seen")
			p.Click(".minute [data-reply='2']", says("this line makes a tombstone"))
			assert.Equal(t, y, at(), "at %d", width)
			p.Click(".minute .main", "document.querySelectorAll('.minute .ways a').length === 2")
			p.None(faulty, fmt.Sprint(width))
		}
	})
	t.Run("each of the seven lines plays what comes of it", func(t *testing.T) {
		p.In(t)
		visit(url)
		p.Eval("for (const b of document.querySelectorAll('[data-as=approve]')) b.click()", nil)
		p.Until("document.querySelector('.sum').textContent.includes('7 of 7')")
		p.Until("document.querySelectorAll('.lines .stage').length === 7")
	})
	t.Run("break it yourself leads to a machine at that moment, in any scene", func(t *testing.T) {
		p.In(t)
		for _, at := range []string{
			"lost-deletion,DELETED web-2",
			"a_dropped_watch_resumes_without_a_list,stream broken",
		} {
			visit("about:blank")
			p.Call("Page.navigate", map[string]any{"url": url + "machine/index.html#" + at + ",take"}, nil)
			_, words, _ := strings.Cut(at, ",")
			p.Until(fmt.Sprintf("page.stage?.orders?.standing && page.stage.e.text.startsWith(%q)", words))
			p.Click("[data-press]:not(:disabled)", "page.stage.tape.head > page.stage.tape.low")
		}
	})
	t.Run("the small informer begins with its program and what it prints", func(t *testing.T) {
		p.In(t)
		for _, width := range []int{390, 1280} {
			p.Size(width, map[int]int{390: 844, 1280: 800}[width])
			visit(url + "docs/0-a-small-informer.html")
			p.None("[...document.querySelectorAll('main > .code')].slice(0, 2).map(x => "+
				"x.getBoundingClientRect().bottom).filter(y => y > innerHeight).map(String)",
				fmt.Sprint("below the first screen at ", width))
		}
	})
	chapter := func(width, height int, anchor string) {
		p.Size(width, height)
		visit("about:blank")
		visit(url + "docs/3-deltafifo.html" + anchor)
		p.Eval("globalThis.pin = () => document.querySelector('.pin').pin.scene, "+
			"globalThis.stage = () => pin()?.stage", nil)
		p.Until("stage()?.tape.beats.length && stage().$('.says span')")
	}
	const tombstone = "a_list_finds_what_is_gone,deleted-tombstone-of-web-2-4"
	const ofTombstone = "document.getElementById('" + tombstone + "')"
	const atTombstone = "stage().e.text === 'deleted tombstone of web-2@4' && " +
		"location.hash === '#" + tombstone + "'"
	t.Run("a chapter has one stage, which stays in view as a whole", func(t *testing.T) {
		p.In(t)
		for _, size := range [][2]int{{1280, 800}, {1280, 640}, {820, 1180}, {390, 664}} {
			chapter(size[0], size[1], "")
			for _, to := range []string{"0", "2000", "document.body.scrollHeight"} {
				p.Eval("scrollTo(0, "+to+"), new Promise(requestAnimationFrame)", nil)
				p.None("(r => document.querySelectorAll('.stage').length === 1 && r.bottom <= innerHeight + 1 "+
					"&& (r.top >= 0 || scrollY < 50) ? [] : [JSON.stringify(r)])"+
					"(document.querySelector('.pin').getBoundingClientRect())", to)
			}
		}
	})
	t.Run("a moment moves the stage when it is pressed or passed, and the address says which",
		func(t *testing.T) {
			p.In(t)
			chapter(1280, 800, "")
			p.Eval("dispatchEvent(new Event('wheel')), "+
				"scrollBy(0, "+ofTombstone+".getBoundingClientRect().y - innerHeight * .55 + 5)", nil)
			p.Until(atTombstone)
			p.Eval("act.back(stage())", nil)
			p.Until("!(" + atTombstone + ") && location.hash !== '#" + tombstone + "'")
			p.Click("[id='"+tombstone+"']", atTombstone)
		})
	t.Run("an address with a moment opens the paragraph and the stage there", func(t *testing.T) {
		p.In(t)
		for _, width := range []int{1280, 390} {
			chapter(width, 800, "#"+tombstone)
			p.Until(atTombstone + " && (r => r.top > 0 && r.bottom < innerHeight)" +
				"(" + ofTombstone + ".getBoundingClientRect())")
		}
	})
	t.Run("on a phone the stage is on top, keeps its height, and shows two places",
		func(t *testing.T) {
			p.In(t)
			chapter(390, 664, "")
			p.Eval("scrollTo(0, 2000), globalThis.seen = new Set()", nil)
			p.None(`stage().tape.beats.flatMap(b => {
				stage().go(b.seq), stage().show(1)
				const pin = document.querySelector('.pin').getBoundingClientRect()
				const button = stage().$('.main').getBoundingClientRect()
				seen.add([pin.y, pin.height, button.y].join())
				const places = stage().all('.place').filter(x => x.checkVisibility())
				return pin.y !== 0 || pin.height > innerHeight * .45 || innerHeight - button.bottom > 20 ||
					places.length !== 2 ? [b.says] : []
			}).concat(seen.size === 1 ? [] : [...seen])`, "a step")
		})
	t.Run("what is taken over keeps places and event, and has three verbs", func(t *testing.T) {
		p.In(t)
		chapter(1280, 844, "#a_list_finds_what_is_gone,DELETED-web-2")
		p.Eval("globalThis.longest = 0, new PerformanceObserver(l => { for (const e of "+
			"l.getEntries()) longest = Math.max(longest, e.duration) }).observe({ type: 'longtask' })",
			nil)
		p.Eval("globalThis.all = () => stage().places.map(p => p.id).join(), "+
			"globalThis.was = stage().cur, globalThis.places = all()", nil)
		p.Click(".pin [data-do=take]",
			"stage()?.orders?.standing && stage().cur === was && all() === places && "+
				"stage().all('[data-verb]').length === 3 && stage().$('.verbs a').href.endsWith("+
				"'machine/index.html#a_list_finds_what_is_gone,DELETED-web-2-version-7,take')")
		p.Shot("taken-over")
		p.Click("[data-verb=heal]", "stage().tape.head > was + 1")
		p.None("stage().cur - was > 3 ? ['it runs ahead of its reader'] : []", "a machine that plays")
		longest := 0
		p.Eval("longest", &longest)
		t.Logf("the page was blocked for %d ms at the longest", longest)
		p.Click("[data-do=leave]", "!stage().orders && stage().cur === was")
	})
	t.Run("a page is printed with its pictures, and in the light", func(t *testing.T) {
		p.In(t)
		p.Eval("document.documentElement.dataset.theme = 'dark'", nil)
		p.Call("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
		p.Until("document.querySelector('.scene img').offsetHeight > 100 && " +
			"!document.querySelector('.pin').offsetHeight && " +
			"!document.querySelector('.editor').offsetHeight && " +
			"getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'")
		p.Call("Emulation.setEmulatedMedia", map[string]any{"media": ""}, nil)
	})
	t.Run("nothing moves while a page is loaded", func(t *testing.T) {
		p.In(t)
		for _, width := range []int{390, 1280} {
			p.Size(width, 844)
			for _, page := range []string{"", "docs/0-the-map.html", "docs/3-deltafifo.html",
				"informer/testdata/01_first_list_and_sync.story.html"} {
				visit("about:blank")
				visit(url + page)
				p.Until("document.querySelector('.stage .says span')")
				shift := 0.0
				p.Eval("new Promise(done => { let sum = 0; new PerformanceObserver(l => { for (const e of "+
					"l.getEntries()) sum += e.value }).observe({ type: 'layout-shift', buffered: true }); "+
					"setTimeout(() => done(sum), 300) })", &shift)
				assert.LessOrEqual(t, shift, 0.01, "%s at %d", page, width)
			}
		}
	})
	edit := func(t *testing.T, page, more string) {
		visit(page)
		p.Eval(`for (const d of document.querySelectorAll('.editor')) if (d.querySelector('textarea').value.includes('pop\n')) { d.open = true; globalThis.editor = d; break }`, nil)
		p.Until("editor.editor")
		p.Eval(fmt.Sprintf(`(area => { area.value = area.value.replace('\npop\n', %q); editor.editor.play() })(editor.querySelector('textarea'))`, more), nil)
	}
	const aQueue = "deltafifo/testdata/02_events_pile_up_under_one_key.story.html"
	t.Run("a changed story shows what is different, and a wrong one its line", func(t *testing.T) {
		p.In(t)
		edit(t, url+aQueue, "\nupdate web-1@77\n\n▸ pop\n")
		p.Until("editor.querySelector('.differs .new')?.textContent.includes('web-1') && /now ends? " +
			"differently/.test(editor.querySelector('.said').textContent)")
		p.Shot("changed-story")
		edit(t, url+aQueue, "\nfrobnicate\n")
		p.Until("/line [0-9]+: frobnicate: no such " +
			"command.*known/s.test(editor.querySelector('.wrong')?.textContent)")
	})
	t.Run("a story that does not end is stopped, and the next one is played", func(t *testing.T) {
		p.In(t)
		visit(url + "informer/testdata/01_first_list_and_sync.story.html")
		p.Eval(`globalThis.editor = document.querySelector('.editor'), editor.open = true`, nil)
		p.Until("editor.editor")
		p.Eval("globalThis.area = editor.querySelector('textarea'), globalThis.was = area.value, "+
			"area.value = 'handler h resync=1ms\\nrun\\nwait 10000h\\n', editor.editor.play(), 0", nil)
		p.Until("/stopped/.test(editor.querySelector('.wrong')?.textContent)")
		p.Eval("area.value = was, editor.editor.play(), 0", nil)
		p.Until("/All steps end/.test(editor.querySelector('.said').textContent)")
	})
	t.Run("words are searched", func(t *testing.T) {
		p.In(t)
		visit(url)
		p.Key("/", "Slash", false, "document.activeElement.matches('input')")
		p.Call("Input.insertText", map[string]any{"text": "tombstone"}, nil)
		p.Until("/tombstone/i.test(document.querySelector('dialog.search')?.textContent) && " +
			"document.querySelectorAll('dialog.search a').length > 3 && " +
			"/:~:text=tombstone,-/.test(document.querySelector('dialog.search a').href)")
		for words, first := range map[string]string{
			"lost deletion": "Lessons: a lost deletion",
			"stale cache":   "Stories: the cache is behind a write",
			"replace":       "Names: deltafifo.DeltaFIFO.Replace",
		} {
			p.Eval(fmt.Sprintf("(i => { i.value = %q; i.dispatchEvent(new Event('input')) })"+
				"(document.querySelector('dialog.search input'))", words), nil)
			p.Until(fmt.Sprintf("[...document.querySelectorAll('dialog.search [role=group]')].slice(0, 2)"+
				".some(g => g.ariaLabel + ': ' + g.querySelector('a b').textContent === %q)", first))
		}
	})
	t.Run("the book in one file works from disk", func(t *testing.T) {
		p.In(t)
		edit(t, "file://"+filepath.Join(dir, oneFile), "\nupdate web-1@77\n\npop\n")
		p.Until("editor.querySelector('.differs .new')")
	})
	for name := range asked.Range {
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name.(string))))
		assert.NoError(t, err, "what is asked for is in the folder")
	}
}
