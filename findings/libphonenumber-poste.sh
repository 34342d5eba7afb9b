#!/usr/bin/env bash
# Behaviour: libphonenumber knows the extension « poste 12 » of French neither way: phonenumbers makes digits of its letters (1234567897678312), libphonenumber-js reads no number at all.
# Expected:  01 23 45 67 89, extension 12, as of « ext. 12 ».
# Versions:  phonenumbers 9.0.43 (Python), libphonenumber-js 1.13.16
# Guichet stores `01 23 45 67 89 poste 12` in French projects: receivers that parse it cut it at « poste » first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit libphonenumber-js@1.13.16
python3 -m venv python
python/bin/pip install --quiet phonenumbers==9.0.43
cat > numbers << 'END'
01 23 45 67 89 ext. 12
01 23 45 67 89 x12
01 23 45 67 89 poste 12
END
cat > read.cjs << 'NODE'
const { parsePhoneNumberFromString } = require("libphonenumber-js/max")
for (const line of require("fs").readFileSync("numbers", "utf8").trim().split("\n")) {
  const number = parsePhoneNumberFromString(line, "FR")
  console.log(`${line}: ${number ? `${number.number}, extension ${number.ext}` : "nothing"}`)
}
NODE
cat > read.py << 'PYTHON'
import phonenumbers as p
for line in open("numbers").read().strip().split("\n"):
    number = p.parse(line, "FR")
    print(f"{line}: +{number.country_code} {number.national_number}, extension {number.extension}, valid {p.is_valid_number(number)}")
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
01 23 45 67 89 ext. 12: +33123456789, extension 12
01 23 45 67 89 x12: +33123456789, extension 12
01 23 45 67 89 poste 12: nothing
phonenumbers 9.0.43, region FR
01 23 45 67 89 ext. 12: +33 123456789, extension 12, valid True
01 23 45 67 89 x12: +33 123456789, extension 12, valid True
01 23 45 67 89 poste 12: +33 1234567897678312, extension None, valid False
SEEN
