package main

// messages holds the words for a job's state by language.
var messages = map[string]map[string]string{
	"en": {
		"queued": "waiting",
		"taken":  "being delivered",
		"done":   "delivered",
		"failed": "could not be delivered",
	},
	"ja": {
		"queued": "待機中",
		"taken":  "配信中",
		"done":   "配信済み",
		"failed": "再試行しても配信できませんでした",
	},
}

// Message is the word for a state, in English where the language is not known.
func Message(language, state string) string {
	words, known := messages[language]
	if !known {
		words = messages["en"]
	}
	if word, known := words[state]; known {
		return word
	}
	return state
}
