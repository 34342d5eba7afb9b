#!/usr/bin/env bash
# Behaviour: `read_csv(…, sep=None, engine="python")` of pandas, its way to find the separator, keeps the byte order mark and the quotes in the name of the first column.
# Expected:  `Identifiant`, as with `sep=";"`.
# Versions:  pandas 3.1.1
# Guichet exports CSV with a byte order mark, without which Excel misreads accents: name the separator, `;`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv python
python/bin/pip install --quiet pandas==3.1.1
printf '\xef\xbb\xbf"Identifiant";"Nom"\r\n"r1";"Élise"\r\n' > a.csv
output=$(
  python/bin/python - << 'PYTHON'
import pandas
print("pandas", pandas.__version__)
print("sep=None:", list(pandas.read_csv("a.csv", sep=None, engine="python").columns))
print("sep=None, encoding=utf-8-sig:", list(pandas.read_csv("a.csv", sep=None, engine="python", encoding="utf-8-sig").columns))
print("sep=;:", list(pandas.read_csv("a.csv", sep=";").columns))
print("sep=;, engine=python:", list(pandas.read_csv("a.csv", sep=";", engine="python").columns))
PYTHON
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
pandas 3.1.1
sep=None: ['\ufeff"Identifiant"', 'Nom']
sep=None, encoding=utf-8-sig: ['Identifiant', 'Nom']
sep=;: ['Identifiant', 'Nom']
sep=;, engine=python: ['Identifiant', 'Nom']
SEEN
