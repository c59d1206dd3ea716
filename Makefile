# Everything here needs Go and a POSIX shell; browser also needs Chromium. Only cost, finale, and
# fuzz when it finds a crasher, write into the tree.
.DEFAULT_GOAL := help
.PHONY: help tour live docs workshop hint finale test browser watch story cover chaos bench cost fuzz mutants check

GO          ?= go
STAGE       ?= deltafifo
BENCH       ?= .
BENCHTIME   ?= 200ms
FUZZTIME    ?= 10s
SEEDS       ?= 100
QUEUE       ?= DeltaFIFO
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GREMLINS    := github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
# The kinds of mutants that gremlins leaves out by default.
MUTANTS     := --invert-logical --invert-loopctrl --invert-assignments --invert-bitwise \
  --invert-bwassign --remove-self-assignments

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

tour:  ## watch one object travel from an HTTP server into a handler (ARGS=-fast)
	@$(GO) run ./docs/run/tour $(ARGS)

live:  ## open an informer as a page: hold a stage, step, break things (ARGS="-queue RealFIFO")
	@$(GO) run ./docs/run/live $(ARGS)

docs:  ## read the chapters, the package docs and the source in a browser (ARGS="-addr HOST:PORT")
	@$(GO) run ./docs/tools/site $(ARGS)

test:  ## vet everything, then run every test under the race detector
	@echo "== go vet ./..."
	@$(GO) vet ./...
	@race="-race "; why=$$($(GO) list -race . 2>&1 >/dev/null) || { race=; \
	  echo "== Testing without the race detector, which needs a C compiler ($$why)"; }; \
	echo "== go test $$race./..."; $(GO) test $$race./...

browser:  ## test the live page in a headless Chromium (SHOTS=folder keeps screenshots)
	@echo "== BROWSER=1 go test -run Browser ./docs/run/live"
	@BROWSER=1 SHOTS=$(abspath $(SHOTS)) $(GO) test -count=1 -v -run Browser ./docs/run/live

watch:  ## read a stage as a story: make watch STAGE=indexer
	@if ! ls $(STAGE)/testdata/*.story >/dev/null 2>&1; then \
	  echo "No stories in $(STAGE). STAGE is one of:" \
	    $$(ls */testdata/*.story 2>/dev/null | cut -d/ -f1 | uniq) >&2; exit 1; fi
	@echo "== go test -v -count=1 -run Stories ./$(STAGE)"
	@GOTRACEBACK=all $(GO) test -v -count=1 -run Stories ./$(STAGE)

# The tests read STORY from the environment, too: a file to play instead of the stage's own stories.
story: STORY ?= $(or $(TMPDIR),/tmp)/watchglass-$(subst /,-,$(STAGE)).story
story:  ## play a story of your own: make story STAGE=indexer (or STORY=FILE), edit it, repeat
	@if [ ! -e $(STAGE)/testdata/story.template ]; then \
	  echo "No template in $(STAGE). STAGE is one of:" \
	    $$(ls -d */testdata/story.template */*/testdata/story.template 2>/dev/null | \
	      sed 's|/testdata/.*||') >&2; exit 1; fi
	@[ -e "$(STORY)" ] || cp $(STAGE)/testdata/story.template "$(STORY)"
	@echo "== Your story is $(STORY). Edit it, and run this again: make story STAGE=$(STAGE)" \
	  "$(if $(filter command line environment,$(origin STORY)),STORY=$(STORY))"
	@case "$(STORY)" in /*) file="$(STORY)";; *) file="$$PWD/$(STORY)";; esac; \
	  STORY=$$file GOTRACEBACK=all $(GO) test -v -count=1 -run '^TestStories$$' ./$(STAGE)

chaos:  ## test with random faults, writers and handlers: make chaos SEEDS=1000 (or SEED=7)
	@echo "== go test -run TestChaos ./informer/chaos:" \
	  "$(if $(SCRIPT),$(SCRIPT) with a $(QUEUE),$(if $(SEED),seed $(SEED),$(SEEDS) seeds))"
	@SEEDS=$(SEEDS) SEED=$(SEED) SCRIPT=$(abspath $(SCRIPT)) QUEUE=$(QUEUE) \
	  $(GO) test -count=1 -timeout 0 -run 'TestChaos$$' ./informer/chaos

workshop:  ## list the exercises: which are solved, which is next (WATCH=1: after each change)
	@$(GO) run ./docs/workshop $(if $(WATCH),watch)

hint:  ## show the next hint of an exercise: make hint E=3.2
	@$(GO) run ./docs/workshop hint $(or $(E),$(error Which exercise? make hint E=3.2))

finale:  ## play your story on a broken stage: make finale M=A (ACCEPT=1: write the states first)
	@$(GO) run ./docs/workshop finale $(or $(M),$(error Which mutant? make finale M=A)) $(if $(ACCEPT),accept)

cover:  ## list how much of each package the tests cover, and which functions not completely
	@dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; trap 'exit 1' INT TERM; \
	echo "== go test -cover ./..."; $(GO) test -coverprofile="$$dir/profile" ./... && \
	echo "== Functions that the tests do not cover completely" && \
	$(GO) tool cover -func="$$dir/profile" | awk '$$NF != "100.0%"'

bench:  ## measure the hot paths: make bench BENCH=Distribute BENCHTIME=2s
	@echo "== go test -bench '$(BENCH)' -benchtime $(BENCHTIME) ./..."
	@$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -benchtime $(BENCHTIME) ./...

cost:  ## measure how cost grows, and redraw appendix B from it (some minutes, on a quiet machine)
	@echo "== go test -run '^$$' -bench Growth -benchtime 500ms -count 3 ./docs/tools/cost"
	@$(GO) test -run '^$$' -bench Growth -benchtime 500ms -count 3 -timeout 1h ./docs/tools/cost >docs/tools/cost/bench.new || \
	  { cat docs/tools/cost/bench.new; rm docs/tools/cost/bench.new; exit 1; }
	@mv docs/tools/cost/bench.new docs/tools/cost/bench.txt && $(GO) run ./docs/tools/cost

fuzz:  ## run each fuzz target for FUZZTIME (10s); a crasher stays in its testdata/fuzz
	@list=$$($(GO) test -list '^Fuzz' ./...) || { echo "$$list"; exit 1; }; \
	echo "$$list" | awk '/^Fuzz/ { t[n++] = $$1 } /^ok/ { for (i = 0; i < n; i++) print $$2, t[i]; n = 0 }' | \
	while read -r pkg target; do \
	  echo "== $$pkg $$target for $(FUZZTIME)"; \
	  $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$pkg" </dev/null || exit 1; \
	done

# gremlins works on copies of the tree. The tests of a mutant may take ten times as long as those
# of the stage, and a mutant that never ends takes all that time. With a smaller factor, a slow
# compiler would count as a mutant that never ends.
mutants:  ## break a stage in small ways, and list what no test notices: make mutants STAGE=indexer
	@echo "== gremlins unleash ./$(STAGE) (the first time, Go fetches it)"
	@$(GO) run $(GREMLINS) unleash ./$(STAGE) $(MUTANTS) --workers 2 --timeout-coefficient 10 \
	  --output-statuses lct

check:  ## run all checks that are not tests: format, lint, modules, docs, exercises, rules
	@echo "== gofmt -l ."
	@bad=$$("$$($(GO) env GOROOT)/bin/gofmt" -l .) || exit 1; if [ -n "$$bad" ]; then echo "$$bad"; \
	  echo "These are not formatted. gofmt -w . mends it."; exit 1; fi
	@echo "== staticcheck ./... (the first time, Go fetches it), without the exercises, which are unfinished"
	@$(GO) run $(STATICCHECK) $$($(GO) list ./... | grep -v '/docs/workshop/[0-9p]')
	@echo "== go mod tidy -diff"
	@$(GO) mod tidy -diff || { echo "go mod tidy mends it."; exit 1; }
	@echo "== GOEXPERIMENT=jsonv2 go test . ./reflector/..., which has files of its own for it"
	@GOEXPERIMENT=jsonv2 $(GO) test . ./reflector/...
	@echo "== SEEDS=100 go test -run TheModelSays ./fakeapi: 100,000 steps (go test ./... takes 20,000)"
	@SEEDS=100 $(GO) test -count=1 -run TheModelSays ./fakeapi
	@echo "== go test ./docs/tools/verify, which checks what the docs quote and the rules of the repository"
	@$(GO) test -count=1 ./docs/tools/verify
	@echo "== go run ./docs/workshop check: stubs open, solutions pass, wrong answers fail"
	@$(GO) run ./docs/workshop check
