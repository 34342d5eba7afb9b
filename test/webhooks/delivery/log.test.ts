import { expect, spyOn, test } from "bun:test"
import { aService } from "../../support/service-builder.ts"

/** Resolves to the events that the service wrote to its log meanwhile. */
async function loggedWhile(act: () => Promise<void>): Promise<Record<string, unknown>[]> {
  const written = spyOn(process.stderr, "write").mockReturnValue(true)
  try {
    await act()
    return written.mock.calls.map(([line]) => JSON.parse(String(line)))
  } finally {
    written.mockRestore()
  }
}

const hourMs = 3_600_000

test("each failed attempt and the delivery that is given up are a line, with ids and no contents", async () => {
  await using webhooks = await aService()
    .withSettings({ GUICHET_LOG_LEVEL: "info" })
    .withReceivers([() => new Response("secret of the receiver", { status: 500 })])
    .started()
  const { id } = await webhooks.endpoint()
  const events = await loggedWhile(async () => {
    await webhooks.respond()
    await webhooks.settled()
    for (let attempt = 2; attempt <= 8; attempt++) await webhooks.pass(11 * hourMs)
  })
  const failed = events.filter(({ message }) => message === "attempt failed")
  expect(failed.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  for (const event of failed)
    expect(event).toMatchObject({
      level: "INFO",
      logger: "guichet.webhooks",
      endpoint: id,
      outcome: "http_status",
      status: 500,
    })
  for (const { messageId } of failed) expect(messageId).toStartWith("msg_")
  expect(events.filter(({ message }) => message === "delivery given up")).toMatchObject([
    { level: "INFO", endpoint: id, attempts: 8 },
  ])
  expect(JSON.stringify(events)).not.toContain("secret of")
})

test("delivered messages are lines at debug alone", async () => {
  for (const [level, expected] of [
    ["debug", ["message delivered"]],
    ["info", []],
  ] as const) {
    await using webhooks = await aService()
      .withSettings({ GUICHET_LOG_LEVEL: level })
      .withReceivers([() => new Response("")])
      .started()
    await webhooks.endpoint()
    const events = await loggedWhile(async () => {
      await webhooks.respond()
      await webhooks.settled()
    })
    const said = events.map(({ message }) => message)
    expect(said.filter((each) => /delivered/.test(String(each)))).toEqual([...expected])
  }
})
