#!/usr/bin/env bash
# Behaviour: A job of 02:30 runs twice in the night that clocks go back for croniter, APScheduler and robfig/cron, and once for croner and cron-parser; in spring it runs at 03:00, at 03:30 or not at all.
# Expected:  once each night, as cron of Debian has it (cron(8)): what is skipped runs at once, what is repeated runs once.
# Versions:  croner 11.0.1, cron-parser 5.10.6, croniter 7.0.0, APScheduler 3.11.3, robfig/cron 3.0.1
# Guichet plans by croner.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit croner@11.0.1 cron-parser@5.10.6
python3 -m venv python
python/bin/pip install --quiet croniter==7.0.0 APScheduler==3.11.3 tzdata==2025.2
go mod init finding 2> log
go get github.com/robfig/cron/v3@v3.0.1 2>> log

cat > next.mjs << 'NODE'
import { CronExpressionParser } from "cron-parser"
import { Cron } from "croner"
const zone = "Europe/Paris"
const shown = (dates) => dates.map((date) => date.toISOString().slice(5, 16)).join("  ")
const after = new Date(process.argv[2])
const parsed = CronExpressionParser.parse("30 2 * * *", { tz: zone, currentDate: after })
console.log("croner:      ", shown(new Cron("30 2 * * *", { timezone: zone }).nextRuns(3, after)))
console.log("cron-parser: ", shown([1, 2, 3].map(() => parsed.next().toDate())))
NODE
cat > next.py << 'PYTHON'
import sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo
from apscheduler.triggers.cron import CronTrigger
from croniter import croniter

zone = ZoneInfo("Europe/Paris")
after = datetime.fromisoformat(sys.argv[1]).astimezone(zone)


def shown(dates):
    return "  ".join(date.astimezone(timezone.utc).strftime("%m-%dT%H:%M") for date in dates)


runs = croniter("30 2 * * *", after)
print("croniter:    ", shown([runs.get_next(datetime) for _ in range(3)]))
trigger, dates = CronTrigger.from_crontab("30 2 * * *", timezone=zone), [None]
for _ in range(3):
    dates.append(trigger.get_next_fire_time(dates[-1], dates[-1] or after))
print("APScheduler: ", shown(dates[1:]))
PYTHON
cat > main.go << 'GO'
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/robfig/cron/v3"
)

func main() {
	zone, _ := time.LoadLocation("Europe/Paris")
	schedule, _ := cron.ParseStandard("30 2 * * *")
	at, _ := time.Parse(time.RFC3339, os.Args[1])
	at = at.In(zone)
	fmt.Print("robfig/cron: ")
	for i := 0; i < 3; i++ {
		at = schedule.Next(at)
		fmt.Print(" ", at.UTC().Format("01-02T15:04"), " ")
	}
	fmt.Println()
}
GO

output=$(
  echo "croner 11.0.1, cron-parser 5.10.6, croniter 7.0.0, APScheduler 3.11.3, robfig/cron 3.0.1: 30 2 * * * in Paris, in UTC"
  for after in 2026-10-24T12:00:00+00:00 2027-03-27T12:00:00+00:00; do
    echo "after $after"
    node next.mjs "$after"
    python/bin/python next.py "$after"
    go run . "$after" | sed 's/ *$//'
  done
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
croner 11.0.1, cron-parser 5.10.6, croniter 7.0.0, APScheduler 3.11.3, robfig/cron 3.0.1: 30 2 * * * in Paris, in UTC
after 2026-10-24T12:00:00+00:00
croner:       10-25T00:30  10-26T01:30  10-27T01:30
cron-parser:  10-25T00:30  10-26T01:30  10-27T01:30
croniter:     10-25T00:30  10-25T01:30  10-26T01:30
APScheduler:  10-25T00:30  10-25T01:30  10-26T01:30
robfig/cron:  10-25T00:30  10-25T01:30  10-26T01:30
after 2027-03-27T12:00:00+00:00
croner:       03-28T01:00  03-29T00:30  03-30T00:30
cron-parser:  03-28T01:30  03-29T00:30  03-30T00:30
croniter:     03-28T01:00  03-29T00:30  03-30T00:30
APScheduler:  03-28T01:30  03-29T00:30  03-30T00:30
robfig/cron:  03-29T00:30  03-30T00:30  03-31T00:30
SEEN
