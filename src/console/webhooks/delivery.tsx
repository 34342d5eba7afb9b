/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { Refusal } from "../../base/errors.ts"
import { findEndpoint } from "../../webhooks/endpoints/endpoint.ts"
import { findDelivery, type LoggedDelivery } from "../../webhooks/messages/delivery-log.ts"
import { obstacleToResend, resend } from "../../webhooks/messages/resend.ts"
import { userMessage } from "../../wording/user-message.ts"
import { Table } from "../kit/components.tsx"
import { dateFormatter } from "../kit/dates.tsx"
import { flashMessage } from "../kit/flash.ts"
import { Form, Problem } from "../kit/forms/fields.tsx"
import { type FormState, untouched } from "../kit/forms/form-state.ts"
import type { PageContext, SubmittedContext } from "../kit/page-context.ts"
import type { ConsoleDeps, PageHandlers } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { messages as webhooksMessages } from "../messages/webhooks.fr.ts"
import { outcomeIn, StateTag } from "./outcome.tsx"

type Delivery = LoggedDelivery & { payload: string | null }

/** The page of a delivery: its attempts and their responses, the exact payload, and the resend button. */
export function deliveryPages(handlers: PageHandlers, { db, clock, config, messageQueue }: ConsoleDeps) {
  const date = dateFormatter(config.timezone)

  async function deliveryOf({ params, workspaceId }: PageContext): Promise<Delivery> {
    const delivery = await findDelivery(db, workspaceId, params["delivery"] ?? "")
    if (!delivery) throw new Refusal("not_found", shellMessages.unknownPage)
    return delivery
  }

  async function showPage(
    context: PageContext,
    formState: FormState,
    status: number,
    needsConfirmation = false,
  ): Promise<Response> {
    const delivery = await deliveryOf(context)
    const endpoint = await findEndpoint(db, delivery.endpoint_id, context.workspaceId)
    const obstacleDetail = await obstacleToResend(db, context.workspaceId, delivery.id)
    const obstacle = obstacleDetail && userMessage(obstacleDetail)
    // `made` counts the attempts before the requested one. The page refreshes until that attempt is made.
    const isAwaited = delivery.attempts.length <= Number(context.query["made"] ?? Number.NaN)
    const notice = flashMessage(context.query, {
      resent: webhooksMessages.resent,
      tested: webhooksMessages.tested,
    })
    const flash = isAwaited ? notice : undefined
    return page(
      context,
      { title: webhooksMessages.delivery, current: "webhooks", status, flash },
      <>
        <h1>{webhooksMessages.delivery}</h1>
        <section id="state" data-refresh={isAwaited ? "" : undefined}>
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
        {context.may("editor") && (
          <Resend
            context={context}
            delivery={delivery}
            obstacle={obstacle}
            needsConfirmation={needsConfirmation}
            formState={formState}
          />
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

  /** Resending a delivered message needs a confirmation, given on the page that says it was delivered. */
  async function resendDelivery(context: SubmittedContext): Promise<Response> {
    const { id, message_id, state, attempts } = await deliveryOf(context)
    if (state === "delivered" && context.values.get("confirmed") !== "yes")
      return showPage(context, untouched, 409, true)
    await resend(db, context.workspaceId, id, clock.now())
    messageQueue.wake()
    context.setAuditSubject(id, message_id)
    return seeOther(`/console/deliveries/${id}?done=resent&made=${attempts.length}`)
  }

  return new Elysia({ name: "console-delivery" })
    .get(
      "/console/deliveries/:delivery",
      handlers.page((context) => showPage(context, untouched, 200)),
    )
    .post("/console/deliveries/:delivery", handlers.action("editor", resendDelivery, showPage), {
      parse: "none",
    })
}

interface ResendProps {
  context: PageContext
  delivery: Delivery
  obstacle: string | undefined
  needsConfirmation: boolean
  formState: FormState
}

function Resend({ context, delivery, obstacle, needsConfirmation, formState }: ResendProps) {
  if (obstacle !== undefined) return <p class="notice">{webhooksMessages.cannotResend(obstacle)}</p>
  return (
    <Form context={context} action={`/console/deliveries/${delivery.id}`}>
      <h2>{webhooksMessages.resend}</h2>
      <Problem formState={formState} />
      {needsConfirmation ? (
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

/** Indented for reading. The signed payload is the same JSON without line breaks. */
function indented(payload: string): string {
  return JSON.stringify(JSON.parse(payload), null, 2)
}
