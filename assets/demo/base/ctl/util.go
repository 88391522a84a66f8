package main

import (
	"os"
	"strings"
)

// envOr reads an environment variable, or gives the fallback where it is empty.
func envOr(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

// language cuts a locale such as ja_JP.UTF-8 down to its language.
func language(locale string) string {
	end := strings.IndexAny(locale, "_.@")
	if end < 0 {
		return locale
	}
	return locale[:end]
}
