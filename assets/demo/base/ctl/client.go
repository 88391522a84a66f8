package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// Client asks one haul server.
type Client struct {
	Server string
}

// Job is what the server tells about a job.
type Job struct {
	State string `json:"state"`
	Note  string `json:"note"`
}

// Job fetches the state of a job.
func (c Client) Job(id string) (Job, error) {
	var job Job
	answer, err := http.Get(c.Server + "/jobs/" + url.PathEscape(id))
	if err != nil {
		return job, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return job, fmt.Errorf("job %s: the server answered %s", id, answer.Status)
	}
	err = json.NewDecoder(answer.Body).Decode(&job)
	return job, err
}
