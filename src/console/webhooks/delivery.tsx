/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { Refusal } from "../../base/errors.ts"
import { findEndpoint } from "../../webhooks/endpoints/endpoint.ts"
import { findDelivery, type LoggedDelivery } from "../../webhooks/messages/delivery-log.ts"
import { obstacleToResend, resend } from "../../webhooks/messages/resend.ts"
import { userMessage } from "../../wording/user-message.ts"
import { dateWriter } from "../kit/dates.ts"
import { doneOf } from "../kit/done.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { Form, Problem } from "../kit/fields.tsx"
import { type Filled, untouched } from "../kit/form.ts"
import type { Sent, Visit } from "../kit/page-context.ts"
import { Table } from "../kit/parts.tsx"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { messages as webhooksMessages } from "../messages/webhooks.fr.ts"
import { outcomeIn, StateTag } from "./outcome.tsx"

type Delivery = LoggedDelivery & { payload: string | null }

/**
 * One delivery: its attempts with what was answered, the exact payload, and the button that sends it again.
 */
export function deliveryPages(door: Door, { db, clock, config, messages }: ConsoleParts) {
  const date = dateWriter(config.timezone)

  async function deliveryOf({ params, workspaceId }: Visit): Promise<Delivery> {
    const delivery = await findDelivery(db, workspaceId, params["delivery"] ?? "")
    if (!delivery) throw new Refusal("not_found", shellMessages.unknownPage)
    return delivery
  }

  async function shown(visit: Visit, filled: Filled, status: number, asks = false): Promise<Response> {
    const delivery = await deliveryOf(visit)
    const endpoint = await findEndpoint(db, delivery.endpoint_id, visit.workspaceId)
    const told = await obstacleToResend(db, visit.workspaceId, delivery.id)
    const obstacle = told && userMessage(told)
    // Until the attempt that was asked for is made, the page says so and looks again.
    const isMoving = delivery.attempts.length <= Number(visit.query["made"] ?? Number.NaN)
    const moving = doneOf(visit.query, { resent: webhooksMessages.resent, tested: webhooksMessages.tested })
    const done = isMoving ? moving : undefined
    return page(
      visit,
      { title: webhooksMessages.delivery, current: "webhooks", status, done },
      <>
        <h1>{webhooksMessages.delivery}</h1>
        <section id="state" data-refresh={isMoving ? "" : undefined}>
          <dl class="facts">
            <dt>{webhooksMessages.columns.state}</dt>
            <dd>
              <StateTag state={delivery.state} />
            </dd>
            <dt>{webhooksMessages.address}</dt>
            <dd>
              {endpoint ? (
                <a href={`/console/webhooks/${endpoint.id}/deliveries`}>{endpoint.url}</a>
              ) : (
                webhooksMessages.removedAddress
              )}
            </dd>
            <dt>{webhooksMessages.messageHint}</dt>
            <dd>
              <code>{delivery.message_id}</code>
            </dd>
            <dt>{webhooksMessages.createdAt}</dt>
            <dd>{date(delivery.created_at)}</dd>
            <dt>{webhooksMessages.nextAttempt}</dt>
            <dd>{nextIn(delivery, date)}</dd>
          </dl>
        </section>
        {visit.may("editor") && (
          <Resend visit={visit} delivery={delivery} obstacle={obstacle} asks={asks} filled={filled} />
        )}
        <Attempts delivery={delivery} date={date} />
        <section>
          <h2>{webhooksMessages.payload}</h2>
          {delivery.payload === null ? (
            <p>{webhooksMessages.payloadErased}</p>
          ) : (
            <pre>
              <code>{indented(delivery.payload)}</code>
            </pre>
          )}
        </section>
      </>,
    )
  }

  /** What was delivered already is sent again only by who was told so. */
  async function resent(sent: Sent): Promise<Response> {
    const { id, message_id, state, attempts } = await deliveryOf(sent)
    if (state === "delivered" && sent.values.get("confirmed") !== "yes")
      return shown(sent, untouched, 409, true)
    await resend(db, sent.workspaceId, id, clock.now())
    messages.wake()
    sent.about(id, message_id)
    return seeOther(`/console/deliveries/${id}?done=resent&made=${attempts.length}`)
  }

  return new Elysia({ name: "console-delivery" })
    .get(
      "/console/deliveries/:delivery",
      door.page((visit) => shown(visit, untouched, 200)),
    )
    .post("/console/deliveries/:delivery", door.action("editor", resent, shown), { parse: "none" })
}

interface ResendProps {
  visit: Visit
  delivery: Delivery
  obstacle: string | undefined
  asks: boolean
  filled: Filled
}

function Resend({ visit, delivery, obstacle, asks, filled }: ResendProps) {
  if (obstacle !== undefined) return <p class="notice">{webhooksMessages.cannotResend(obstacle)}</p>
  return (
    <Form visit={visit} action={`/console/deliveries/${delivery.id}`}>
      <h2>{webhooksMessages.resend}</h2>
      <Problem filled={filled} />
      {asks ? (
        <>
          <p class="notice" role="alert">
            {webhooksMessages.alreadyDelivered}
          </p>
          <input type="hidden" name="confirmed" value="yes" />
          <p class="actions">
            <button type="submit">{webhooksMessages.resendAnyway}</button>
            <a class="button quiet" href={`/console/deliveries/${delivery.id}`}>
              {shellMessages.cancel}
            </a>
          </p>
        </>
      ) : (
        <>
          <p class="hint">{webhooksMessages.resendHint}</p>
          <button type="submit">{webhooksMessages.resend}</button>
        </>
      )}
    </Form>
  )
}

function Attempts({ delivery, date }: { delivery: Delivery; date: (at: string) => string }) {
  const { attemptColumns: columns } = webhooksMessages
  if (delivery.attempts.length === 0)
    return (
      <section>
        <h2>{webhooksMessages.attempts}</h2>
        <p>{webhooksMessages.noAttempt}</p>
      </section>
    )
  return (
    <section>
      <h2>{webhooksMessages.attempts}</h2>
      <Table
        label={webhooksMessages.attempts}
        head={[columns.number, columns.at, columns.kind, columns.outcome, columns.duration]}
      >
        {delivery.attempts.map((attempt) => (
          <tr key={attempt.number}>
            <td>{attempt.number}</td>
            <td>{date(attempt.at)}</td>
            <td>{webhooksMessages.kinds[attempt.kind]}</td>
            <td>{outcomeIn(attempt)}</td>
            <td>{attempt.duration_ms === null ? "–" : webhooksMessages.milliseconds(attempt.duration_ms)}</td>
          </tr>
        ))}
      </Table>
      {delivery.attempts
        .filter((attempt) => attempt.response_excerpt !== null)
        .map((attempt) => (
          <details key={attempt.number}>
            <summary>{webhooksMessages.answerTo(attempt.number)}</summary>
            <pre>
              <code>{attempt.response_excerpt || webhooksMessages.emptyAnswer}</code>
            </pre>
          </details>
        ))}
    </section>
  )
}

function nextIn({ state, next_attempt_at }: Delivery, date: (at: string) => string): string {
  if (next_attempt_at !== null) return date(next_attempt_at)
  return state === "pending" ? webhooksMessages.inFlight : webhooksMessages.noNext
}

/** For the eye: what was signed is the same text without line breaks. */
function indented(payload: string): string {
  return JSON.stringify(JSON.parse(payload), null, 2)
}
