#!/usr/bin/env bash
# Behaviour: A group of `Crawl-delay` alone is one with the group after it for Google’s parser of robots.txt: what forbids all to another robot forbids all to everybody.
# Expected:  a group of its own, as for three other parsers: everybody may read, slowly.
# Versions:  grobotstxt 1.0.3 (Go port of Google’s parser), robots-parser 3.0.1, Protego 0.7.0, temoto/robotstxt 1.1.2
# Report:    https://github.com/google/robotstxt/issues/51
# Guichet takes `Crawl-delay` for a rule that ends the names of a group.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit robots-parser@3.0.1
python3 -m venv python
python/bin/pip install --quiet Protego==0.7.0
go mod init finding 2> log
go get github.com/jimsmart/grobotstxt@v1.0.3 github.com/temoto/robotstxt@v1.1.2 2>> log

cat > robots.txt << 'END'
User-agent: *
Crawl-delay: 10

User-agent: BadBot
Disallow: /
END
cat > main.go << 'GO'
package main

import (
	"fmt"
	"os"

	"github.com/jimsmart/grobotstxt"
	"github.com/temoto/robotstxt"
)

func main() {
	text, _ := os.ReadFile("robots.txt")
	rules, _ := robotstxt.FromBytes(text)
	fmt.Println("grobotstxt 1.0.3:", grobotstxt.AgentAllowed(string(text), "Other", "https://site.example/a"))
	fmt.Println("temoto/robotstxt 1.1.2:", rules.TestAgent("/a", "Other"))
}
GO

output=$(
  echo "may another robot than BadBot read /a?"
  go run .
  node -p '"robots-parser 3.0.1: " + require("robots-parser")("https://site.example/robots.txt", require("fs").readFileSync("robots.txt", "utf8")).isAllowed("https://site.example/a", "Other")'
  python/bin/python -c 'from protego import Protego; print("Protego 0.7.0:", Protego.parse(open("robots.txt").read()).can_fetch("https://site.example/a", "Other"))'
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
may another robot than BadBot read /a?
grobotstxt 1.0.3: false
temoto/robotstxt 1.1.2: true
robots-parser 3.0.1: true
Protego 0.7.0: True
SEEN
