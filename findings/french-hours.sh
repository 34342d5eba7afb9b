#!/usr/bin/env bash
# Behaviour: « 14 h 30 », as French is set, is no time for chrono-node (fr), which reads « à 14 » of it; « 14h » is 14 hours ago for dateparser, or 14 hours on where it prefers the future.
# Expected:  half past two, as both read « 14h30 », and two o’clock.
# Versions:  chrono-node 2.10.3, dateparser 1.5.0
# Guichet gives every time as ISO 8601, which both read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit chrono-node@2.10.3
python3 -m venv python
python/bin/pip install --quiet dateparser==1.5.0
cat > words << 'END'
14h30
14 h 30
14h
le 3 février 2027 à 14h30
le 3 février 2027 à 14 h 30
de 9 h à 17 h
END
cat > read.cjs << 'NODE'
const chrono = require("chrono-node")
const now = new Date("2026-11-29T09:00")
for (const words of require("fs").readFileSync("words", "utf8").trim().split("\n")) {
  const read = chrono.fr.parse(words, now).map(({ text, start }) => `${start.date().toLocaleString("sv")} of « ${text.trim()} »`)
  console.log(`${words}: ${read.join(", ") || "nothing"}`)
}
NODE
cat > read.py << 'PYTHON'
from datetime import datetime
import dateparser
for words in open("words").read().strip().split("\n"):
    for prefer in ["current_period", "future"]:
        settings = {"RELATIVE_BASE": datetime(2026, 11, 29, 9), "PREFER_DATES_FROM": prefer}
        print(f"{words} ({prefer}): {dateparser.parse(words, languages=['fr'], settings=settings) or 'nothing'}")
PYTHON

output=$(
  echo "said on 2026-11-29 at 9:00, chrono-node $(node -p 'JSON.parse(fs.readFileSync("node_modules/chrono-node/package.json")).version')"
  TZ=Europe/Paris node read.cjs
  echo "dateparser $(python/bin/python -c 'import dateparser; print(dateparser.__version__)')"
  python/bin/python read.py
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
said on 2026-11-29 at 9:00, chrono-node 2.10.3
14h30: 2026-11-29 14:30:00 of « 14h30 »
14 h 30: nothing
14h: 2026-11-29 14:00:00 of « 14h »
le 3 février 2027 à 14h30: 2027-02-03 14:30:00 of « 3 février 2027 à 14h30 »
le 3 février 2027 à 14 h 30: 2027-02-03 14:00:00 of « 3 février 2027 à 14 »
de 9 h à 17 h: 2026-11-29 18:00:00 of « de 9 h », 2026-11-29 17:00:00 of « à 17 »
dateparser 1.5.0
14h30 (current_period): 2026-11-29 14:30:00
14h30 (future): 2026-11-29 14:30:00
14 h 30 (current_period): 2026-11-28 19:00:00
14 h 30 (future): 2026-11-29 23:00:00
14h (current_period): 2026-11-28 19:00:00
14h (future): 2026-11-29 23:00:00
le 3 février 2027 à 14h30 (current_period): 2027-02-03 14:30:00
le 3 février 2027 à 14h30 (future): 2027-02-03 14:30:00
le 3 février 2027 à 14 h 30 (current_period): nothing
le 3 février 2027 à 14 h 30 (future): nothing
de 9 h à 17 h (current_period): nothing
de 9 h à 17 h (future): nothing
SEEN
