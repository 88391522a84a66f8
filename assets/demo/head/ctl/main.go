// Command haulctl shows operators what became of a job.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: haulctl JOB")
		os.Exit(2)
	}
	client := Client{Server: envOr("HAUL_SERVER", "http://127.0.0.1:8420")}
	job, err := client.Job(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "haulctl:", err)
		os.Exit(1)
	}
	fmt.Printf("%s\t%s\n", Message(language(envOr("LANG", "en")), job.State), job.Note)
}
