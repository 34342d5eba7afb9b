import { expect, test } from "bun:test"
import type { Verdict } from "../support/verdict.ts"
import { clockJumps } from "./clock.ts"
import { corrupted, diskFull } from "./disk.ts"
import { turnsReadOnly } from "./read-only.ts"

// What is quick of the fault suite; all of it: bun test/faults/run.ts

const missed = (verdicts: Verdict[]) => verdicts.filter(({ passed }) => !passed)

test("a clock that is set back or ahead neither strands nor repeats a delivery", async () => {
  expect(missed(await clockJumps())).toEqual([])
}, 60_000)

test("a full disk refuses and loses nothing, and the service is back as soon as there is room", async () => {
  expect(missed(await diskFull())).toEqual([])
}, 60_000)

test("a disk that turns read-only refuses and loses nothing, and the service goes on once it is well", async () => {
  expect(missed(await turnsReadOnly())).toEqual([])
}, 60_000)

test("a database damaged inside stops the start with a reason", async () => {
  expect((await corrupted())[0]).toMatchObject({ passed: true })
}, 60_000)
