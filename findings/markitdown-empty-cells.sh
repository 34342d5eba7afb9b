#!/usr/bin/env bash
# Behaviour: markitdown writes « NaN » for an empty cell of a workbook, and makes `30` in a column with an empty cell `30.0`; a total whose value no program has stored is « NaN » too.
# Expected:  an empty cell, and the number as the sheet shows it: a price list full of « NaN » is what a language model then reads.
# Versions:  markitdown 0.1.9, openpyxl 3.1.5
# Guichet reads no workbooks: it asks for them as PDF, as their readers see them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python3 -m venv python
python/bin/pip install --quiet 'markitdown[xlsx]==0.1.9' openpyxl==3.1.5

output=$(
  python/bin/python - << 'PYTHON'
import openpyxl
from importlib.metadata import version
from markitdown import MarkItDown

book = openpyxl.Workbook()
for row in [["room", "price", "seats"], ["hall", 12, 30], ["yard", None, None], ["total", "=SUM(B2:B3)", None]]:
    book.active.append(row)
book.save("prices.xlsx")
print("markitdown", version("markitdown"))
print(MarkItDown().convert("prices.xlsx").markdown)
PYTHON
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
markitdown 0.1.9
## Sheet
| room | price | seats |
| --- | --- | --- |
| hall | 12.0 | 30.0 |
| yard | NaN | NaN |
| total | NaN | NaN |
SEEN
