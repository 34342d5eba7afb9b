import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { dayMs } from "../../../src/base/clock.ts"
import { minRetentionDays } from "../../../src/forms/definition/field.ts"
import {
  automaticAttempts,
  lastAttemptAfterMs,
  longestWaitMs,
  nextDueMs,
  retryScheduleIn,
} from "../../../src/webhooks/messages/retry-schedule.ts"

const project = join(import.meta.dir, "../../..")
const [fr, en] = [retryScheduleIn("fr"), retryScheduleIn("en-GB")]

/** The pages that say the schedule, and how. */
const pages: Record<string, string[]> = {
  "README.md": [`tried ${en.attempts} times over ${en.wholeHours}`, `repeated after ${en.waits}.`],
  "data/operate/verify-a-webhook.md": [`repeated after ${en.waits}.`],
  "data/demo/index.md": [`sur un peu plus de ${fr.wholeHours}`],
  "data/demo/webhooks.md": [
    `compte ${fr.attempts} tentatives au total, la première immédiatement, puis après ${fr.waits}.`,
    `après ses ${fr.attempts} tentatives`,
    `ses ${fr.attempts} tentatives commencent`,
    `Au bout de ${fr.attempts} tentatives manquées, soit un peu plus de ${fr.wholeHours},`,
  ],
  "data/demo/donnees-personnelles.md": [
    `la dernière tentative d’une livraison vient après ${fr.lastAfter} ;`,
  ],
}

const endedAtMs = 1_000_000

test("8 attempts: at once, then after 5 seconds, 5 and 30 minutes, 2, 5, 10 and 10 hours", () => {
  const waits = Array.from({ length: 9 }, (_, made) => nextDueMs(made, endedAtMs, () => 0)).map(
    (dueMs) => dueMs && (dueMs - endedAtMs) / 1000,
  )
  expect(waits).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 36_000, undefined])
  expect(automaticAttempts).toBe(8)
})

test("jitter is only added: at most a fiftieth of the wait, at most ten seconds", () => {
  for (let made = 0; made < automaticAttempts; made++) {
    const earliest = nextDueMs(made, endedAtMs, () => 0) as number
    const latest = nextDueMs(made, endedAtMs, () => 0.999_999) as number
    expect(latest).toBeGreaterThanOrEqual(earliest)
    expect(latest - earliest).toBeLessThanOrEqual(Math.min((earliest - endedAtMs) / 50, 10_000))
    expect(latest).toBeLessThanOrEqual(endedAtMs + longestWaitMs(made))
  }
})

test("in words: 8 attempts over 27 hours", () => {
  expect({ ...fr, waits: plain(fr.waits), wholeHours: plain(fr.wholeHours) }).toEqual({
    attempts: 8,
    waits: "5 secondes, 5 minutes, 30 minutes, 2 heures, 5 heures, 10 heures et 10 heures",
    wholeHours: "27 heures",
    lastAfter: "27 h 35",
  })
  expect(en.waits).toBe("5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours, 10 hours and 10 hours")
})

test("the pages say the schedule as it is", () => {
  for (const [page, texts] of Object.entries(pages)) {
    const text = plain(readFileSync(join(project, page), "utf8"))
    const missing = texts.map(plain).filter((each) => !text.includes(each))
    expect(missing, page).toEqual([])
  }
})

test("no other page says it, nor any other file of the code", () => {
  const counted = `\\b(${en.attempts}|huit|eight) (tentatives|attempts|fois|times)\\b`
  const saying = new RegExp(
    [counted, en.wholeHours, fr.wholeHours, fr.lastAfter, en.waits].map(plain).join("|"),
  )
  const files = ["*.md", "data/{demo,operate}/*.md", "src/**/*.{ts,tsx}", "src/release/debian/*"]
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(project)])
    .filter((file) => saying.test(plain(readFileSync(join(project, file), "utf8"))))
  // What others were measured with, and how the pieces look.
  const others = ["data/operate/measure.md", "src/webhooks/messages/retry-schedule.ts"]
  expect(files.filter((file) => !others.includes(file)).sort()).toEqual(Object.keys(pages).sort())
})

test("a response is kept until the last attempt of its delivery", () => {
  expect(lastAttemptAfterMs).toBeLessThan(minRetentionDays * dayMs)
})

/** With spaces that break. */
function plain(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, " ")
}
