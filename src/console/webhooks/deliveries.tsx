/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { deliveryStates } from "../../db/tables/webhooks.ts"
import { listPage } from "../../http/list.ts"
import { requireEndpoint } from "../../webhooks/endpoints/manage-endpoint.ts"
import { type LoggedDelivery, listDeliveries } from "../../webhooks/messages/delivery-log.ts"
import { More, Table } from "../kit/components.tsx"
import { dateFormatter } from "../kit/dates.tsx"
import { Choice } from "../kit/forms/fields.tsx"
import { untouched } from "../kit/forms/form-state.ts"
import type { PageContext } from "../kit/page-context.ts"
import type { ConsoleDeps, PageHandlers } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/webhooks.fr.ts"
import { EndpointHead } from "./endpoint.tsx"
import { outcomeIn, StateTag } from "./outcome.tsx"

/** The past and pending deliveries of an endpoint. */
export function deliveriesPages(handlers: PageHandlers, { db, config }: ConsoleDeps) {
  async function showPage(context: PageContext): Promise<Response> {
    const { params, query, workspaceId } = context
    const endpoint = await requireEndpoint(db, workspaceId, params["endpoint"] ?? "")
    const state = deliveryStates.find((known) => known === query["state"])
    const list = await listPage({ cursor: query["cursor"] }, (part) =>
      listDeliveries(db, endpoint.id, { state, sinceMs: undefined, ...part }),
    )
    const address = `/console/webhooks/${endpoint.id}/deliveries`
    const replayed = /^\d{1,9}$/.test(query["replayed"] ?? "") ? Number(query["replayed"]) : undefined
    return page(
      context,
      {
        title: messages.deliveriesOf,
        current: "webhooks",
        flash: replayed === undefined ? undefined : messages.replayed(replayed),
      },
      <>
        <EndpointHead endpoint={endpoint} current="deliveries" />
        <form method="get" action={address}>
          <div class="row">
            <Choice
              formState={untouched}
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
          <Log deliveries={list.items} date={dateFormatter(config.timezone)} />
        )}
        <More address={state ? `${address}?state=${state}` : address} cursor={list.next_cursor} />
        <p class="hint">{messages.kept}</p>
      </>,
    )
  }

  return new Elysia({ name: "console-deliveries" }).get(
    "/console/webhooks/:endpoint/deliveries",
    handlers.page(showPage),
  )
}

function Log({ deliveries, date }: { deliveries: LoggedDelivery[]; date: (at: string) => string }) {
  const { columns } = messages
  const isAwaited = deliveries.some(({ attempts, state }) => state === "pending" && attempts.length === 0)
  return (
    <section id="log" data-refresh={isAwaited ? "" : undefined}>
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
