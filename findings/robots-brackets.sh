#!/usr/bin/env bash
# Behaviour: robots-parser matches a rule with brackets against the escaped address alone, grobotstxt and temoto’s against the bare one alone, and temoto’s no accent of an escaped address; `/%7Ejeanne` is `/~jeanne` for none of them.
# Expected:  the same page, however it is written: RFC 9309 (2.2.2) compares what is escaped where it must be, as Protego does.
# Versions:  robots-parser 3.0.1, grobotstxt 1.0.3, temoto/robotstxt 1.1.2, Protego 0.7.0
# Guichet reads rules by robots-parser, and gives it rule and address in one spelling.
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

# A rule, and an address of a page that it forbids.
cat > cases << 'END'
/*?f[0]= /a?f[0]=1
/*?f[0]= /a?f%5B0%5D=1
/%7Ejeanne /~jeanne
/~jeanne /%7Ejeanne
/privé /priv%C3%A9
/priv%c3%a9 /priv%C3%A9
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
	text := "User-agent: *\nDisallow: " + os.Args[1] + "\n"
	rules, _ := robotstxt.FromString(text)
	fmt.Print("grobotstxt ", grobotstxt.AgentAllowed(text, "Other", "https://site.example"+os.Args[2]))
	fmt.Println(", temoto", rules.TestAgent(os.Args[2], "Other"))
}
GO
go build -o rules .
cat > rules.cjs << 'NODE'
const [rule, path] = process.argv.slice(2)
const rules = require("robots-parser")("https://site.example/robots.txt", `User-agent: *\nDisallow: ${rule}\n`)
console.log("robots-parser", rules.isAllowed(`https://site.example${path}`, "Other"))
NODE
cat > rules.py << 'PYTHON'
import sys
from protego import Protego
rule, path = sys.argv[1:]
print("Protego", Protego.parse(f"User-agent: *\nDisallow: {rule}\n").can_fetch("https://site.example" + path, "Other"))
PYTHON

output=$(
  echo "grobotstxt 1.0.3, temoto/robotstxt 1.1.2, robots-parser 3.0.1, Protego 0.7.0: may it be read?"
  while read -r rule path; do
    echo "$rule $path: $(./rules "$rule" "$path"), $(node rules.cjs "$rule" "$path"), $(python/bin/python rules.py "$rule" "$path")"
  done < cases
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
grobotstxt 1.0.3, temoto/robotstxt 1.1.2, robots-parser 3.0.1, Protego 0.7.0: may it be read?
/*?f[0]= /a?f[0]=1: grobotstxt false, temoto false, robots-parser true, Protego False
/*?f[0]= /a?f%5B0%5D=1: grobotstxt true, temoto true, robots-parser false, Protego False
/%7Ejeanne /~jeanne: grobotstxt true, temoto true, robots-parser true, Protego False
/~jeanne /%7Ejeanne: grobotstxt true, temoto true, robots-parser true, Protego False
/privé /priv%C3%A9: grobotstxt false, temoto true, robots-parser false, Protego False
/priv%c3%a9 /priv%C3%A9: grobotstxt true, temoto true, robots-parser false, Protego False
SEEN
