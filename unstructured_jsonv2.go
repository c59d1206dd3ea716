//go:build goexperiment.jsonv2

package watchglass

import (
	"encoding/json"
	"encoding/json/jsontext"
	"errors"
)

// UnmarshalJSONFrom replaces the document by the next value of dec, like UnmarshalJSON. It
// implements json.UnmarshalerFrom of encoding/json/v2: in a build with that package, which
// encoding/json is then made of, it takes half the time.
func (u *Unstructured) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := readValue(dec)
	if err != nil {
		return err
	}
	doc, ok := value.(map[string]any)
	if !ok {
		return errors.New("not a JSON object")
	}
	u.Object = doc
	return nil
}

// readValue reads a value of any kind, numbers as they are written. Of two fields of one name, the
// last one counts.
func readValue(dec *jsontext.Decoder) (any, error) {
	token, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{':
		return readObject(dec)
	case '[':
		return readArray(dec)
	case '"':
		return token.String(), nil
	case '0':
		return json.Number(token.String()), nil
	case 't', 'f':
		return token.Bool(), nil
	}
	return nil, nil
}

func readObject(dec *jsontext.Decoder) (any, error) {
	object := map[string]any{}
	for dec.PeekKind() != '}' {
		token, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String() // before the token is overwritten
		if object[name], err = readValue(dec); err != nil {
			return nil, err
		}
	}
	_, err := dec.ReadToken()
	return object, err
}

func readArray(dec *jsontext.Decoder) (any, error) {
	array := []any{}
	for dec.PeekKind() != ']' {
		value, err := readValue(dec)
		if err != nil {
			return nil, err
		}
		array = append(array, value)
	}
	_, err := dec.ReadToken()
	return array, err
}
