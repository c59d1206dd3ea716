# Everything here needs Go and a POSIX shell; browser also needs Chromium. Only finale, and fuzz
# when it finds a crasher, write into the tree.
.DEFAULT_GOAL := help
.PHONY: help tour live docs book test watch story workshop try hint solve pipe finale chaos check browser judged words bench hostile cover fuzz mutants

GO        ?= go
STAGE     ?= deltafifo
BENCH     ?= .
BENCHTIME ?= 200ms
FUZZTIME  ?= 10s
SEEDS     ?= 100
race       = $(shell $(GO) list -race . >/dev/null 2>&1 && echo -race)
stages    := $(patsubst %/testdata/story.template,%,$(sort $(wildcard $(addsuffix /testdata/story.template,* */*))))
its_stage  = $(if $(filter $(STAGE),$(stages)),,$(error No stories in $(STAGE). STAGE is one of: $(stages)))

help:  ## list the targets
	@awk -F ':.*## ' '/^## / { print "\n" substr($$0, 4) } /^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

## To read, watch and write:
tour:  ## watch objects travel from a server into handlers: ten lessons (ARGS="-story relist", -fast)
	@$(GO) run ./docs/run/tour $(ARGS)
live:  ## open an informer as a page: ten lessons, then hold a stage, break things (a cluster: ARGS="-kubeconfig FILE")
	@$(GO) run $(if $(findstring -server,$(ARGS))$(findstring -kubeconfig,$(ARGS)),./docs/run/live,./docs/tools/book -page machine/) $(ARGS)
docs:  ## read the book in a browser: chapters, stories, source (ARGS="-addr HOST:PORT")
	@$(GO) run ./docs/tools/book $(ARGS)
book:  ## write the book as static files, to publish: make book OUT=folder (REPO=url: say where the source is)
	@$(GO) run ./docs/tools/book -repo "$(REPO)" -out $(or $(OUT),$(error Where to? make book OUT=folder))
# Without GORACE, each package would sleep a second at its end.
test:  ## run every test under the race detector
	@$(if $(race),,echo "Testing without the race detector, which needs a C compiler:"; $(GO) list -race .;) \
	export GORACE="atexit_sleep_ms=0 $$GORACE"; set -x; $(GO) test -vet=off $(race) ./... \
	  $(if $(race),&& $(GO) test -vet=off ./docs/tools/book) # its links, which would take ten times as long
watch:  ## read a stage as a story: make watch STAGE=indexer
	$(its_stage)GOTRACEBACK=all $(GO) test -v -count=1 -run Stories ./$(STAGE)
# The tests read STORY from the environment, and begin a file that does not exist from a template.
story: STORY ?= $(HOME)/watchglass-$(subst /,-,$(STAGE)).story
story:  ## play a story of your own: make story STAGE=indexer (or STORY=FILE), edit it, repeat
	$(its_stage)@echo "Your story is $(STORY). Edit it, and run this again: make story STAGE=$(STAGE)" \
	  "$(if $(filter command line environment,$(origin STORY)),STORY=$(STORY))"
	@STORY=$(abspath $(STORY)) GOTRACEBACK=all $(GO) test -v -count=1 -run '^TestStories$$' ./$(STAGE)
workshop:  ## list the exercises: which are solved, which is next (WATCH=1: try each change; TRACK=half)
	@$(if $(WATCH),trap : INT; )$(GO) run ./docs/workshop $(if $(WATCH),watch || true)
try:  ## compile an exercise, and run its laws: make try E=3.2 (WATCH=1: after each change)
	@$(if $(WATCH),trap : INT; )$(GO) run ./docs/workshop $(if $(WATCH),watch,try) $(or $(E),$(error Which exercise? make try E=3.2)) $(if $(WATCH),|| true)
hint:  ## show the next hint of an exercise: make hint E=3.2
	@$(GO) run ./docs/workshop hint $(or $(E),$(error Which exercise? make hint E=3.2))
solve:  ## write the solution of an exercise into its file, and keep yours: make solve E=3.2
	@$(GO) run ./docs/workshop solve $(or $(E),$(error Which exercise? make solve E=3.2))
pipe:  ## run your exercises as one informer, with solutions in the place of open ones (a cluster: ARGS="-url URL")
	@$(GO) run ./docs/workshop pipe $(ARGS)
finale:  ## play your story on a broken stage: make finale M=A (ACCEPT=1: write the states first)
	@$(GO) run ./docs/workshop finale $(or $(M),$(error Which mutant? make finale M=A)) $(if $(ACCEPT),accept)
chaos:  ## test with random faults, writers and handlers: make chaos SEEDS=1000 (or SEED=7) QUEUE=RealFIFO (else both)
	SEEDS=$(SEEDS) SEED=$(SEED) SCRIPT=$(abspath $(SCRIPT)) QUEUE=$(QUEUE) \
	  $(GO) test -count=1 -timeout 0 -run 'TestChaos$$' ./informer/chaos

## To maintain it:
# vet and the linter make much garbage, and keep little: collect it less often.
check: export GOGC = 400
check:  ## run all checks that are not tests: format, lint, modules, docs, exercises, rules
	@echo gofmt -l .; bad=$$("$$($(GO) env GOROOT)/bin/gofmt" -l .) && [ -z "$$bad" ] || \
	  { echo "$$bad"; echo "gofmt -w . fixes it."; exit 1; }
	@# make test leaves this out. The linter and the exercises need what is compiled here, without -race.
	$(GO) vet ./...
	@# Exercises are unfinished. Go fetches the linter the first time.
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 $$($(GO) list ./... | grep -v '/docs/workshop/[0-9p]')
	$(GO) mod tidy -diff || { echo "go mod tidy fixes it."; exit 1; }
	@# Under the race detector it does not measure memory.
	$(GO) test -count=1 ./fakeapi
	$(GO) test -count=1 ./docs/tools/verify ./docs/tools/book
	$(GO) run ./docs/workshop check
browser:  ## test the book and its machine in a headless Chromium (SHOTS=folder keeps screenshots)
	BROWSER=1 SHOTS=$(abspath $(SHOTS)) $(GO) test -p 1 -count=1 -v -run Browser ./docs/run/live ./docs/tools/book
# Prose is what stands outside code, tables and comments; links count by their words.
words:  ## count the words of prose in each chapter, before and after its heading Second pass
	@for page in docs/[0-9]-*.md; do awk -v page="$$page" '/^(> )?```/ { code = !code; next } \
	  code || /^ *[|]/ || /^ *<!--/ { next } /^## Second pass/ { pass = 1 } \
	  { gsub(/\]\([^)]*\)|<[^>]*>/, " ") } { words[pass + 0] += NF } \
	  END { printf "%5d %5d  %s\n", words[0], words[1], page }' "$$page"; done | \
	  awk '{ print; first += $$1; second += $$2 } END { printf "%5d %5d  together\n", first, second }'
judged:  ## judge all answers to exercises, and all changes in chapters, in a headless Chromium
	BROWSER=1 JUDGED=1 $(GO) test -count=1 -v -timeout 2h -run 'BrowserEach' ./docs/tools/book
bench:  ## measure the hot paths: make bench BENCH=Distribute BENCHTIME=2s
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -benchtime $(BENCHTIME) ./...
hostile:  ## measure fakeapi under 64 hostile clients: memory at the most, and how long an honest one waits
	$(GO) test -run '^$$' -bench HostileClients -benchtime 1x ./fakeapi/serve
cover:  ## list how much of each package the tests cover, and which functions not completely
	@profile=$$(mktemp); trap 'rm -f "$$profile"' EXIT; $(GO) test -coverprofile="$$profile" ./... && \
	  $(GO) tool cover -func="$$profile" | awk '$$NF != "100.0%"'
fuzz:  ## run each fuzz target for FUZZTIME (10s); a crasher stays in its testdata/fuzz
	@grep -r '^func Fuzz' --include='*_test.go' . | sed 's|/[^/]*:func | |; s|(.*||' | \
	while read -r package target; do \
	  (set -x; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$package" </dev/null) || exit 1; \
	done
# Tests of a mutant may take ten times as long as those of the stage. With less, a slow compiler would
# count as a mutant that never ends. The flags are the kinds of mutants that are left out by default.
# Packages below the stage are left out: they are stages of their own, such as reflector/client.
mutants:  ## break a stage in small ways, and list what no test notices: make mutants STAGE=indexer
	$(GO) run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0 unleash ./$(STAGE) --workers 2 \
	  --exclude-files / --timeout-coefficient 10 --output-statuses lct --invert-logical \
	  --invert-loopctrl --invert-assignments --invert-bitwise --invert-bwassign \
	  --remove-self-assignments
