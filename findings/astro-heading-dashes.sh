#!/usr/bin/env bash
# Behaviour: ids of headings change with the processor of Markdown that Astro 7 made its usual one: `---` is an em dash in it, and stays three hyphens in the one before. Both make a dash of `--`, so that neither id is GitHub's.
# Expected:  the same id for the same title, as a link to it from elsewhere expects.
# Versions:  @astrojs/markdown-satteri 0.4.2, @astrojs/markdown-remark 7.3.1
# Guichet tells them apart by the version of Astro in package.json.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-fund --no-audit @astrojs/markdown-satteri@0.4.2 @astrojs/markdown-remark@7.3.1
cat > ids.js << 'NODE'
import * as remark from "@astrojs/markdown-remark"
import { createSatteriMarkdownProcessor } from "@astrojs/markdown-satteri"

const text = "## Fin -- suite\n\n## Fin --- suite\n"
const make = remark.createMarkdownProcessor ?? remark.createRemarkMarkdownProcessor
for (const [name, create] of [["satteri", createSatteriMarkdownProcessor], ["remark", make]]) {
  const { code } = await (await create({ syntaxHighlight: false })).render(text)
  console.log(name, ...[...code.matchAll(/id="([^"]*)"/g)].map(([, id]) => id))
}
NODE
output=$(node ids.js)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
satteri fin--suite fin--suite-1
remark fin--suite fin-----suite
SEEN
