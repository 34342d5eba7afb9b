/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { deliveryStates } from "../../db/tables/webhooks.ts"
import { ownEndpoint } from "../../webhooks/endpoints/owner.ts"
import { type LoggedDelivery, listDeliveries } from "../../webhooks/messages/delivery-log.ts"
import { dateWriter } from "../kit/dates.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { Choice } from "../kit/fields.tsx"
import { untouched } from "../kit/form.ts"
import { listPart } from "../kit/list-part.ts"
import type { Visit } from "../kit/page-context.ts"
import { More, Table } from "../kit/parts.tsx"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/webhooks.fr.ts"
import { EndpointHead } from "./endpoint.tsx"
import { outcomeIn, StateTag } from "./outcome.tsx"

/** What was sent to an endpoint, and what is to be. */
export function deliveriesPages(door: Door, { db, config }: ConsoleParts) {
  async function shown(visit: Visit): Promise<Response> {
    const { params, query, workspaceId } = visit
    const endpoint = await ownEndpoint(db, workspaceId, params["endpoint"] ?? "")
    const state = deliveryStates.find((known) => known === query["state"])
    const list = await listPart(visit, (part) =>
      listDeliveries(db, endpoint.id, { state, sinceMs: undefined, ...part }),
    )
    const address = `/console/webhooks/${endpoint.id}/deliveries`
    const replayed = /^\d{1,9}$/.test(query["replayed"] ?? "") ? Number(query["replayed"]) : undefined
    return page(
      visit,
      {
        title: messages.deliveriesOf,
        current: "webhooks",
        done: replayed === undefined ? undefined : messages.replayed(replayed),
      },
      <>
        <EndpointHead endpoint={endpoint} current="deliveries" />
        <form method="get" action={address}>
          <div class="row">
            <Choice
              filled={untouched}
              name="state"
              label={messages.stateFilter}
              value={state ?? ""}
              choices={[["", messages.anyState], ...Object.entries(messages.states)]}
            />
            <button type="submit" class="quiet">
              {messages.show}
            </button>
          </div>
        </form>
        {list.items.length === 0 ? (
          <p>{messages.noDelivery}</p>
        ) : (
          <Log deliveries={list.items} date={dateWriter(config.timezone)} />
        )}
        <More address={state ? `${address}?state=${state}` : address} cursor={list.next_cursor} />
        <p class="hint">{messages.kept}</p>
      </>,
    )
  }

  return new Elysia({ name: "console-deliveries" }).get(
    "/console/webhooks/:endpoint/deliveries",
    door.page(shown),
  )
}

function Log({ deliveries, date }: { deliveries: LoggedDelivery[]; date: (at: string) => string }) {
  const { columns } = messages
  const isMoving = deliveries.some(({ attempts, state }) => state === "pending" && attempts.length === 0)
  return (
    <section id="log" data-refresh={isMoving ? "" : undefined}>
      <Table
        label={messages.deliveriesOf}
        head={[columns.date, columns.state, columns.attempts, columns.last, columns.next, columns.detail]}
      >
        {deliveries.map((delivery) => {
          const last = delivery.attempts.at(-1)
          const manual = delivery.attempts.filter(({ kind }) => kind === "manual").length
          return (
            <tr key={delivery.id}>
              <td>{date(delivery.created_at)}</td>
              <td>
                <StateTag state={delivery.state} />
              </td>
              <td>
                {messages.ofEight(delivery.attempts_made)} {manual > 0 && messages.plusManual(manual)}
              </td>
              <td>{last ? outcomeIn(last) : "–"}</td>
              <td>{delivery.next_attempt_at ? date(delivery.next_attempt_at) : "–"}</td>
              <td>
                <a
                  href={`/console/deliveries/${delivery.id}`}
                  aria-label={`${messages.open} ${delivery.message_id}`}
                >
                  {messages.open}
                </a>
              </td>
            </tr>
          )
        })}
      </Table>
    </section>
  )
}
