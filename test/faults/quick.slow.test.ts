import { expect, test } from "bun:test"
import { onSqlite } from "../support/postgres.ts"
import type { Verdict } from "../support/verdict.ts"
import { clockJumps } from "./clock.ts"
import { corrupted, diskFull, restartOnFullDisk } from "./disk.ts"
import { turnsReadOnly } from "./read-only.ts"

// What is quick of the fault suite, but for how long it takes. All of it: bun test/faults/run.ts

const missed = (verdicts: Verdict[]) => verdicts.filter(({ passed, isTime }) => !passed && !isTime)

test("a clock that is set back or ahead neither strands nor repeats a delivery", async () => {
  expect(missed(await clockJumps())).toEqual([])
})

onSqlite(
  "a full disk refuses and loses nothing, and the service is back as soon as there is room",
  async () => {
    expect(missed(await diskFull())).toEqual([])
  },
)

onSqlite("a service that starts on a full disk waits for room", async () => {
  expect(missed(await restartOnFullDisk())).toEqual([])
})

onSqlite(
  "a disk that turns read-only refuses and loses nothing, and the service goes on once it is well",
  async () => {
    expect(missed(await turnsReadOnly())).toEqual([])
  },
)

onSqlite("a database damaged inside stops the start with a reason", async () => {
  expect((await corrupted())[0]).toMatchObject({ passed: true })
})
