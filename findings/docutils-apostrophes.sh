#!/usr/bin/env bash
# Behaviour: docutils makes `lete` of « L’été » and `l-ete` of « L'été »: what is not ASCII is dropped, what is becomes a hyphen. So `½` is `12`, and `Mot‑clé` with a no-break hyphen `motcle`.
# Expected:  one id for one title, whichever apostrophe the author's keyboard or editor gives: a link breaks by typographic care alone.
# Versions:  docutils 0.22.4
# Guichet gives headings of Sphinx the same ids.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet docutils==0.22.4
output=$(
  venv/bin/python - << 'PYTHON'
import docutils
from docutils.nodes import make_id

print("docutils", docutils.__version__)
for title in ("L’été", "L'été", "Mot‑clé", "Mot-clé", "2 m² et ½"):
    print(title, "→", make_id(title))
PYTHON
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
docutils 0.22.4
L’été → lete
L'été → l-ete
Mot‑clé → motcle
Mot-clé → mot-cle
2 m² et ½ → m2-et-12
SEEN
