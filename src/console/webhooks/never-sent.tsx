import { dayIn } from "../../base/clock.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { countNeverSent } from "../../webhooks/messages/never-sent.ts"
import { logKeptMs } from "../../webhooks/messages/purge.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form } from "../kit/forms/fields.tsx"
import { usePage } from "../kit/page-context.ts"
import { upTo } from "./health.tsx"
import { words } from "./words.fr.ts"

/** Messages that are looked at to say how many an endpoint never got. */
const mostLookedAt = 3000

/** How many messages that were received already, of all that the log keeps, can be sent to an endpoint. */
export function neverSentTo({ db, clock }: ConsoleDeps, { id, workspaceId }: Endpoint): Promise<number> {
  const sinceMs = clock.now() - logKeptMs
  return countNeverSent(db, { workspaceId, endpointId: id }, { sinceMs, mostLookedAt })
}

interface NeverSentProps {
  endpoint: Endpoint
  count: number
  hasFailed?: boolean
}

/** Offers to send an endpoint what it never got, as one that was just added; nothing where there is nothing. */
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
