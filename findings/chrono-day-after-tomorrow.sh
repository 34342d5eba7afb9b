#!/usr/bin/env bash
# Behaviour: chrono-node (fr) reads « après-demain » as tomorrow and « avant-hier » as yesterday, and no word with the apostrophe that keyboards of telephones write (’).
# Expected:  the day after tomorrow and the one before yesterday, as dateparser; « aujourd’hui » as « aujourd'hui ».
# Versions:  chrono-node 2.10.3, dateparser 1.5.0
# Guichet reads dates of forms by rules of its own, and takes no relative ones.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit chrono-node@2.10.3
python3 -m venv python
python/bin/pip install --quiet dateparser==1.5.0
cat > words << 'END'
après-demain
avant-hier
après-demain à 10h
aujourd'hui
aujourd’hui
l'année prochaine
l’année prochaine
END
cat > read.cjs << 'NODE'
const chrono = require("chrono-node")
const now = new Date("2026-11-29T09:00")
for (const words of require("fs").readFileSync("words", "utf8").trim().split("\n")) {
  const [read] = chrono.fr.parse(words, now)
  console.log(`${words}: ${read ? `${read.start.date().toLocaleDateString("sv")} of « ${read.text} »` : "nothing"}`)
}
NODE
cat > read.py << 'PYTHON'
from datetime import datetime
import dateparser
for words in open("words").read().strip().split("\n"):
    day = dateparser.parse(words, languages=["fr"], settings={"RELATIVE_BASE": datetime(2026, 11, 29, 9)})
    print(f"{words}: {day.date() if day else 'nothing'}")
PYTHON

output=$(
  echo "said on 2026-11-29, chrono-node $(node -p 'JSON.parse(fs.readFileSync("node_modules/chrono-node/package.json")).version')"
  TZ=Europe/Paris node read.cjs
  echo "dateparser $(python/bin/python -c 'import dateparser; print(dateparser.__version__)')"
  python/bin/python read.py
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
said on 2026-11-29, chrono-node 2.10.3
après-demain: 2026-11-30 of « demain »
avant-hier: 2026-11-28 of « hier »
après-demain à 10h: 2026-11-30 of « demain à 10h »
aujourd'hui: 2026-11-29 of « aujourd'hui »
aujourd’hui: nothing
l'année prochaine: 2027-11-29 of « l'année prochaine »
l’année prochaine: nothing
dateparser 1.5.0
après-demain: 2026-12-01
avant-hier: 2026-11-27
après-demain à 10h: 2026-12-01
aujourd'hui: 2026-11-29
aujourd’hui: 2026-11-29
l'année prochaine: 2027-11-29
l’année prochaine: 2027-11-29
SEEN
