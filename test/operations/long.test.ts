import { expect, test } from "bun:test"
import { Refusal } from "../../src/base/errors.ts"
import type { AnyOperation } from "../../src/operations/operation.ts"
import { signedIn } from "../support/operator.ts"
import { call, isOfConsole, nameOf, type Performing, submit } from "../support/performing.ts"
import { aService } from "../support/service-builder.ts"

/** Bun looks every four seconds for connections that have been silent for too long. */
const lookedAgainMs = 5000

test("a long operation is waited for through either face, longer than any other", async () => {
  await using world = await aService().withOneOfEach().started()
  const owner = await signedIn(world.service, "owner", world.api.workspaceId)
  const rows = world.service.performing.filter(({ operation }) => operation.isLong)
  const short = world.service.performing.filter(({ operation }) => operation.audit === "secret.rotated")
  expect(short.map(isOfConsole).sort()).toEqual([false, true])
  const done = Promise.withResolvers<void>()
  await using slowed = new AsyncDisposableStack()
  for (const operation of new Set([...rows, ...short].map((row) => row.operation)))
    slowed.use(slow(operation, done.promise))
  const statusOf = (row: Performing) => (isOfConsole(row) ? submit(world, row, owner) : call(world, row))
  const repliesTo = (rows: readonly Performing[]) =>
    Promise.all(rows.map(async (row) => [nameOf(row), await statusOf(row).catch(() => "cut")]))
  const waiting = repliesTo(rows)
  expect(await repliesTo(short)).toEqual(short.map((row) => [nameOf(row), "cut"]))
  await Bun.sleep(lookedAgainMs)
  done.resolve()
  expect(rows.map(({ operation }) => operation.audit)).toContain("project.removed")
  expect(await waiting).toEqual(rows.map((row) => [nameOf(row), 409]))
})

/** The work of an operation lasts until it is done, and comes to nothing. */
function slow(operation: AnyOperation, done: Promise<void>): Disposable {
  const held = operation as AnyOperation & { run(): Promise<never> }
  const { run } = held
  held.run = async () => {
    await done
    throw new Refusal("conflict", "")
  }
  return {
    [Symbol.dispose]() {
      held.run = run
    },
  }
}
