#!/bin/sh
# Starts a server on a throwaway database, adds one job and reads it back.
set -eu
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -r "$folder"' EXIT

python3 -m haul.cli serve --db "$folder/jobs.db" &
server=$!
sleep 1
curl --fail --silent --data '{"method": "GET", "url": "http://stock.test/"}' http://127.0.0.1:8420/jobs
curl --fail --silent http://127.0.0.1:8420/jobs/1
