#!/usr/bin/env bash
# Behaviour: Eleventy's IdAttributePlugin gives one id to two headings: it counts how often a title came, and does not look at the ids that it gave already.
# Expected:  `exemple-2-2` for the third heading, or the error that the plugin throws for ids of the author's own that are the same.
# Versions:  @11ty/eleventy 3.1.8
# Guichet gives the anchor that Eleventy gives.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-fund --no-audit @11ty/eleventy@3.1.8
cat > eleventy.config.js << 'NODE'
import { IdAttributePlugin } from "@11ty/eleventy"

export default (config) => config.addPlugin(IdAttributePlugin)
NODE
printf '## %s\n\n' "Exemple" "Exemple" "Exemple 2" > a.md
output=$(
  echo "eleventy $(npx eleventy --version)"
  npx eleventy --quiet --input=a.md > log
  grep -oE '<h2[^>]*>[^<]*' _site/a/index.html
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
eleventy 3.1.8
<h2 id="exemple">Exemple
<h2 id="exemple-2">Exemple
<h2 id="exemple-2">Exemple 2
SEEN
