import { expect, test } from "bun:test"
import { detail } from "../../src/base/errors.ts"
import { openLimitedWorker } from "../../src/host/limited-worker.ts"
import { eventually, isAlive } from "../support/processes.ts"

/** A process that answers by running the function body that it is sent. */
const program = `process.on("message", async (body) => process.send(await new Function(body)()))`
const limits = { processorMs: 500, elapsedMs: 30_000, memoryBytes: 512 * 1024 * 1024 }

function worker(changed: Partial<typeof limits> = {}) {
  return openLimitedWorker([process.execPath, "-e", program], { ...process.env }, { ...limits, ...changed })
}

const pid = "return process.pid"

test("requests are answered one after the other, by one process", async () => {
  await using one = worker()
  const answers = await Promise.all([one.ask("return 1"), one.ask("return 2"), one.ask(pid), one.ask(pid)])
  expect(answers.slice(0, 2)).toEqual([{ answer: 1 }, { answer: 2 }])
  expect(answers[2]).toEqual(answers[3] as (typeof answers)[0])
})

test("what exceeds its limit is ended with its process, and the next request is answered by another", async () => {
  await using one = worker()
  await using patient = worker({ processorMs: 60_000 })
  await using slow = worker({ processorMs: 60_000, elapsedMs: 500 })
  const exceeded = [
    [
      one,
      "for (;;) /^(a+)+$/.test('a'.repeat(100) + 'b')",
      detail("reading.processorTime", { seconds: 0.5 }),
    ],
    [
      patient,
      "const kept = []; for (;;) kept.push(new Uint8Array(8e6).fill(1))",
      detail("reading.memory", { megabytes: 512 }),
    ],
    [patient, "process.kill(process.pid, 'SIGSEGV')", detail("reading.parserEnded")],
    [slow, "process.kill(process.pid, 'SIGSTOP')", detail("reading.elapsedTime", { seconds: 0.5 })],
  ] as const
  for (const [asked, body, reason] of exceeded) {
    const before = (await asked.ask(pid)) as { answer: number }
    expect(await asked.ask(body)).toEqual({ exceeded: reason })
    await eventually(() => !isAlive(before.answer))
    expect(await asked.ask("return 'again'")).toEqual({ answer: "again" })
  }
})

test("where it may end, it ends after a while without a request, and the next one is answered by another", async () => {
  await using one = openLimitedWorker(
    [process.execPath, "-e", program],
    { ...process.env },
    { ...limits, idleMs: 50 },
  )
  const before = (await one.ask(pid)) as { answer: number }
  await eventually(() => !isAlive(before.answer))
  const after = (await one.ask(pid)) as { answer: number }
  expect(after.answer).not.toBe(before.answer)
})

test("time that the process does not have counts for nothing", async () => {
  await using one = worker()
  expect(await one.ask("return Bun.sleep(1500).then(() => 'rested')")).toEqual({ answer: "rested" })
})

test("disposed of, it leaves no process behind, and starts none for what still waits", async () => {
  const one = worker()
  const { answer } = (await one.ask(pid)) as { answer: number }
  const waiting = [one.ask("return Bun.sleep(60_000)"), one.ask(pid), one.ask(pid)]
  await one[Symbol.asyncDispose]()
  expect(isAlive(answer)).toBe(false)
  const calledOff = { exceeded: detail("reading.calledOff") }
  expect(await Promise.all(waiting)).toEqual([calledOff, calledOff, calledOff])
})
