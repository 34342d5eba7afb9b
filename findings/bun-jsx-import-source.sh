#!/usr/bin/env bash
# Behaviour: Bun runs JSX by the tsconfig.json of the folder it is started in; the one beside the source file counts
#   for `paths` alone.
# Expected:  both from the tsconfig.json nearest to the source file, as tsc and `bun build` do.
# Versions:  bun 1.4.4, preact 10.26.4
# Known as https://github.com/oven-sh/bun/issues/28605. Guichet says in `bunfig.toml` how JSX is read, and starts Bun
# from other folders with `--config`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit bun@1.4.4 preact@10.26.4
bun=$folder/node_modules/.bin/bun

mkdir -p app/lib elsewhere
echo '{ "compilerOptions": { "jsx": "react-jsx", "jsxImportSource": "preact", "paths": { "#lib": ["./lib/name.ts"] } } }' > app/tsconfig.json
printf 'jsx = "react-jsx"\njsxImportSource = "preact"\n' > elsewhere/jsx.toml
echo 'export const name = "p"' > app/lib/name.ts
printf 'import { name } from "#lib"\nconsole.log(name)\n' > app/paths.ts
echo 'console.log((<p>text</p>).type)' > app/jsx.tsx

# Prints a case with the first line of its output; the file that an error names is left out.
try() {
  local tried=$1 place=$2 output
  shift 2
  output=$(cd "$place" && "$@" 2>&1 | head -n 1 | sed 's/ from .*//')
  echo "$tried: $output"
}

output=$(
  echo "bun $("$bun" --version), preact $(node -p 'require("preact/package.json").version')"
  try "JSX, started beside the tsconfig.json" app "$bun" jsx.tsx
  try "JSX, started elsewhere" elsewhere "$bun" ../app/jsx.tsx
  try "JSX, started elsewhere with --config" elsewhere "$bun" --config=jsx.toml ../app/jsx.tsx
  try "JSX, built elsewhere" elsewhere sh -c "'$bun' build '--external=*' ../app/jsx.tsx | grep -o preact/jsx-dev-runtime"
  try "paths, started elsewhere" elsewhere "$bun" ../app/paths.ts
)
echo "$output"

# Fails once the output is another one than on 28 November 2026.
diff - <(echo "$output") << 'SEEN'
bun 1.4.4, preact 10.26.4
JSX, started beside the tsconfig.json: p
JSX, started elsewhere: error: Cannot find module 'react/jsx-dev-runtime'
JSX, started elsewhere with --config: p
JSX, built elsewhere: preact/jsx-dev-runtime
paths, started elsewhere: p
SEEN
