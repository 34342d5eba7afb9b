import { dayIn } from "../../base/clock.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { countNeverSent } from "../../webhooks/messages/never-sent.ts"
import { logKeptMs } from "../../webhooks/messages/purge.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form } from "../kit/forms/fields.tsx"
import { usePage } from "../kit/page-context.ts"
import { upTo } from "./health.tsx"
import { words } from "./words.fr.ts"

/** Messages read to count those that an endpoint never got. */
const mostLookedAt = 3000

/** How many of the messages that the log keeps can still be sent to an endpoint. */
export function neverSentTo({ db, clock }: ConsoleDeps, { id, workspaceId }: Endpoint): Promise<number> {
  const sinceMs = clock.now() - logKeptMs
  return countNeverSent(db, { workspaceId, endpointId: id }, { sinceMs, mostLookedAt })
}

interface NeverSentProps {
  endpoint: Endpoint
  count: number
  hasFailed?: boolean
}

/** Offers to send an endpoint the messages that it never got, as after it was added. */
export function NeverSent({ endpoint, count, hasFailed = false }: NeverSentProps) {
  const { nowMs, timezone } = usePage()
  if (count === 0) return null
  return (
    <Form
      action={`/console/webhooks/${endpoint.id}/replays`}
      singleSubmit
      send={words.sendNeverSent}
      look="quiet"
    >
      <h2>{words.neverSent}</h2>
      <input type="hidden" name="since" value={dayIn(timezone, nowMs - logKeptMs)} />
      <input type="hidden" name="messages" value="never_sent" />
      <p class="hint">{words.neverSentHint(upTo(mostLookedAt, count), count)}</p>
      {hasFailed && <p class="notice">{words.testWarning}</p>}
    </Form>
  )
}
