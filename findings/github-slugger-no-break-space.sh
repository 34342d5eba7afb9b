#!/usr/bin/env bash
# Behaviour: github-slugger (Docusaurus, Astro, many more) turns a space into a hyphen, and drops a no-break space, in place of both of which French has before `:` and inside « ».
# Expected:  one id for two titles that look the same: `Prix : 10 €` leads nowhere once its spaces are made no-break ones.
# Versions:  github-slugger 2.0.0
# Guichet uses it where the generator does.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-fund --no-audit github-slugger@2.0.0
cat > slugs.js << 'NODE'
import { slug } from "github-slugger"
import { readFileSync } from "node:fs"

console.log("github-slugger", JSON.parse(readFileSync("node_modules/github-slugger/package.json", "utf8")).version)
for (const [name, space] of [["space", " "], ["no-break space", "\u00a0"], ["narrow no-break space", "\u202f"]])
  console.log(`${name}: ${slug(`50${space}% de remise${space}: qui${space}?`)}`)
NODE
output=$(node slugs.js)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
github-slugger 2.0.0
space: 50--de-remise--qui-
no-break space: 50-de-remise-qui
narrow no-break space: 50-de-remise-qui
SEEN
