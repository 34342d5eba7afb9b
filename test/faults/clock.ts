import { dayMs, minuteMs, secondMs } from "../../src/base/clock.ts"
import { aService } from "../support/service-builder.ts"
import { exactly, type Verdict } from "../support/verdict.ts"

/** The machine's clock is set, back and forth, while deliveries wait for their second attempt. */
export async function clockJumps(): Promise<Verdict[]> {
  const jumps: Record<string, number> = {
    "back a day": -dayMs,
    "back ten years": -3653 * dayMs,
    "ahead ten years": 3653 * dayMs,
  }
  const verdicts: Verdict[] = []
  for (const [name, ms] of Object.entries(jumps)) {
    await using webhooks = await aService()
      .withReceivers([(_, number) => new Response("", { status: number <= 20 ? 500 : 200 })])
      .started()
    await webhooks.endpoint()
    await webhooks.respondMany(20)
    await webhooks.settled()
    const first = webhooks.receiver.received.length
    webhooks.clock.move(ms)
    await webhooks.settled()
    for (let round = 0; round < 4; round++) await webhooks.pass(5 * secondMs)
    await webhooks.pass(minuteMs)
    const ids = webhooks.receiver.received.slice(first).map(({ headers }) => headers.get("webhook-id"))
    verdicts.push(
      exactly(`clock set ${name}: deliveries stranded`, 0, 20 - new Set(ids).size),
      exactly(`clock set ${name}: deliveries repeated`, 0, ids.length - new Set(ids).size),
    )
  }
  return verdicts
}
