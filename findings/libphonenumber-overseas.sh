#!/usr/bin/env bash
# Behaviour: libphonenumber takes fixed numbers of Martinique and Mayotte, as they are dialled, for valid numbers of mainland France (+33), and those of Guadeloupe, Guyane and La Réunion for invalid ones; of none it gives the number that they have (+596, +262 …).
# Expected:  the same for all five: invalid, or better the number of the department, whose first digits tell it (0590, 0594, 0596, 0262, 0269).
# Versions:  phonenumbers 9.0.43 (Python), libphonenumber-js 1.13.16
# Guichet keeps a telephone number as it was typed, with its blanks, and gives it no prefix of a country.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit libphonenumber-js@1.13.16
python3 -m venv python
python/bin/pip install --quiet phonenumbers==9.0.43
cat > numbers << 'END'
0590 99 39 00 Guadeloupe
0594 29 28 00 Guyane
0596 59 63 00 Martinique
0262 48 70 00 La Réunion
0269 61 11 00 Mayotte
END
cat > read.cjs << 'NODE'
const { parsePhoneNumber } = require("libphonenumber-js/max")
for (const line of require("fs").readFileSync("numbers", "utf8").trim().split("\n")) {
  const number = parsePhoneNumber(line.slice(0, 13), "FR")
  console.log(`${line}: ${number.isValid() ? "valid" : "invalid"} ${number.number} ${number.country}`)
}
NODE
cat > read.py << 'PYTHON'
import phonenumbers as p
for line in open("numbers").read().strip().split("\n"):
    number = p.parse(line[:13], "FR")
    valid = "valid" if p.is_valid_number(number) else "invalid"
    print(f"{line}: {valid} {p.format_number(number, p.PhoneNumberFormat.E164)} {p.region_code_for_number(number)}")
PYTHON

output=$(
  echo "libphonenumber-js $(node -p 'JSON.parse(fs.readFileSync("node_modules/libphonenumber-js/package.json")).version'), region FR"
  node read.cjs
  echo "phonenumbers $(python/bin/python -c 'import phonenumbers; print(phonenumbers.__version__)'), region FR"
  python/bin/python read.py
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
libphonenumber-js 1.13.16, region FR
0590 99 39 00 Guadeloupe: invalid +33590993900 FR
0594 29 28 00 Guyane: invalid +33594292800 FR
0596 59 63 00 Martinique: valid +33596596300 FR
0262 48 70 00 La Réunion: invalid +33262487000 FR
0269 61 11 00 Mayotte: valid +33269611100 FR
phonenumbers 9.0.43, region FR
0590 99 39 00 Guadeloupe: invalid +33590993900 FR
0594 29 28 00 Guyane: invalid +33594292800 FR
0596 59 63 00 Martinique: valid +33596596300 FR
0262 48 70 00 La Réunion: invalid +33262487000 FR
0269 61 11 00 Mayotte: valid +33269611100 FR
SEEN
