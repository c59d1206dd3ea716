package main

// flow reads a map in braces or a list in brackets.
func (s *scanner) flow() (any, error) {
	if s.depth++; s.depth > maxDepth {
		return nil, s.errorf("nested more than %d deep", maxDepth)
	}
	defer func() { s.depth-- }()
	opening := s.text[s.at]
	s.at++
	if opening == '{' {
		m := map[string]any{}
		return m, s.items('}', func() error { return s.flowEntry(m) })
	}
	list := []any{}
	err := s.items(']', func() error {
		v, err := s.value(true)
		list = append(list, v)
		return err
	})
	return list, err
}

// items reads what stands between commas, up to the closing bracket. A comma may stand behind the
// last one, too.
func (s *scanner) items(closing byte, read func() error) error {
	for {
		s.skipSpace()
		if s.next(closing) {
			return nil
		}
		if err := read(); err != nil {
			return err
		}
		if s.skipSpace(); s.next(closing) {
			return nil
		}
		if !s.next(',') {
			return s.errorf("expected , or %c at %q; a collection in brackets must end on its line",
				closing, s.rest())
		}
	}
}

// next reads one byte if it is c.
func (s *scanner) next(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// flowEntry reads one entry of a map in braces.
func (s *scanner) flowEntry(m map[string]any) error {
	key, err := s.flowKey()
	if err != nil {
		return err
	}
	if _, twice := m[key]; twice {
		return s.errorf("the key %q comes twice", key)
	}
	s.skipSpace()
	if rest := s.rest(); rest != "" && (rest[0] == ',' || rest[0] == '}') {
		m[key] = nil
		return nil
	}
	m[key], err = s.value(true)
	return err
}

// flowKey reads a key and its colon. Behind a quoted key the colon needs no space, as in JSON.
func (s *scanner) flowKey() (key string, err error) {
	if rest := s.rest(); rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		if key, err = s.quoted(); err != nil {
			return "", err
		}
		if s.skipSpace(); !s.next(':') {
			return "", s.errorf("the key %q has no colon behind it", key)
		}
		return key, nil
	}
	plain := s.plain(true)
	if !s.colon() {
		return "", s.errorf("%q is no key: there is no colon and space behind it", plain)
	}
	return s.keyOf(plain)
}
