#!/usr/bin/env bash
# Behaviour: lunr with lunr-languages (fr) keeps « l'hiver » as one word, whatever its apostrophe: a search for « hiver » finds nothing. MiniSearch and Orama (fr) find no « cœur » by « coeur ».
# Expected:  all three find both: nobody types the article or the ligature that a page has.
# Versions:  lunr 2.3.9, lunr-languages 1.22.0, minisearch 7.2.0, @orama/orama 3.1.18
# Guichet takes elided words and ligatures apart in pages and in questions.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit lunr@2.3.9 lunr-languages@1.22.0 minisearch@7.2.0 @orama/orama@3.1.18
cat > show.mjs << 'NODE'
import { create, insert, search } from "@orama/orama"
import lunr from "lunr"
import french from "lunr-languages/lunr.fr.js"
import stemmers from "lunr-languages/lunr.stemmer.support.js"
import MiniSearch from "minisearch"

stemmers(lunr)
french(lunr)
const texts = ["Les horaires de l'hiver", "Les horaires de l’été", "La déclaration d'impôt", "Le cœur de la ville"]
const docs = texts.map((text, id) => ({ id: String(id), text }))
const byLunr = lunr(function () {
  this.use(lunr.fr)
  this.ref("id")
  this.field("text")
  for (const doc of docs) this.add(doc)
})
const byMiniSearch = new MiniSearch({ fields: ["text"] })
byMiniSearch.addAll(docs)
const byOrama = create({ schema: { text: "string" }, language: "french" })
for (const doc of docs) insert(byOrama, doc)
for (const query of ["hiver", "été", "impôt", "l'hiver", "cœur", "coeur"]) {
  const found = {
    lunr: byLunr.search(query).length,
    minisearch: byMiniSearch.search(query).length,
    orama: search(byOrama, { term: query, threshold: 0 }).hits.length,
  }
  console.log(`${query}:`, Object.entries(found).map(([name, count]) => `${name} ${count}`).join(", "))
}
NODE

output=$(
  for name in lunr lunr-languages minisearch @orama/orama; do node -p "'$name ' + JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version"; done
  node show.mjs
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
lunr 2.3.9
lunr-languages 1.22.0
minisearch 7.2.0
@orama/orama 3.1.18
hiver: lunr 0, minisearch 1, orama 1
été: lunr 0, minisearch 1, orama 1
impôt: lunr 0, minisearch 1, orama 1
l'hiver: lunr 1, minisearch 2, orama 2
cœur: lunr 1, minisearch 1, orama 1
coeur: lunr 1, minisearch 0, orama 0
SEEN
