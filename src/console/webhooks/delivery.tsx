import { required } from "../../base/errors.ts"
import { findForm } from "../../forms/definition/form.ts"
import { type Endpoint, findEndpoint, listEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { type EventType, formEvent } from "../../webhooks/endpoints/event-types.ts"
import {
  findDelivery,
  type LoggedDelivery,
  type MessageContext,
  messageContext,
} from "../../webhooks/messages/delivery-log.ts"
import { cancelDelivery, resendDelivery } from "../../webhooks/messages/operations.ts"
import { obstacleToResend } from "../../webhooks/messages/resend.ts"
import { adviceFor } from "../../wording/causes/causes.fr.ts"
import { endpointName, endpointTitle } from "../../wording/endpoint-name.fr.ts"
import { userMessage } from "../../wording/user-message.ts"
import { Facts, Section, Table, Tag } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { dateFormatter } from "../kit/dates.tsx"
import { flashMessage } from "../kit/flash.ts"
import { Form, Problem, Snippet } from "../kit/forms/fields.tsx"
import { Head } from "../kit/head.tsx"
import type { PageContext, SubmittedContext } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { Confirmation } from "./deliveries.tsx"
import { curlCommand, Exchange, shownBody } from "./exchange.tsx"
import { outcomeIn, StateTag } from "./outcome.tsx"
import { words } from "./words.fr.ts"

type Delivery = LoggedDelivery & { payload: string | null }

/** The page of a delivery: its attempts and their responses, the exact payload, and the resend button. */
export function deliveryPages(deps: ConsoleDeps) {
  const show = (context: PageContext) => showPage(deps, context)
  return {
    page: show,
    resendDelivery: performs(resendDelivery, {
      show,
      instead: (context) => confirmation(deps, context),
      leadsTo: ({ id, attemptsBefore }) => `/console/deliveries/${id}?done=resent&made=${attemptsBefore}`,
    }),
    cancelDelivery: performs(cancelDelivery, {
      show,
      leadsTo: ({ id }) => `/console/deliveries/${id}?done=cancelled`,
    }),
  }
}

async function deliveryInAddress({ db }: ConsoleDeps, { params, workspaceId }: PageContext) {
  return required(await findDelivery(db, workspaceId, params["delivery"] ?? ""), commonWords.unknownPage)
}

async function showPage(deps: ConsoleDeps, context: PageContext, needsConfirmation = false) {
  const { db, config } = deps
  const { workspaceId } = context
  const date = dateFormatter(config.timezone)
  const delivery = await deliveryInAddress(deps, context)
  const endpoint = await findEndpoint(db, delivery.endpoint_id, workspaceId)
  const obstacleDetail = await obstacleToResend(db, workspaceId, delivery.id)
  const obstacle = obstacleDetail && userMessage(obstacleDetail)
  // `made` counts the attempts before the requested one. The page refreshes until that attempt is made.
  const isAwaited = delivery.attempts.length <= Number(context.query["made"] ?? Number.NaN)
  const notice = flashMessage(context.query, {
    resent: words.resentOne,
    tested: words.tested,
    cancelled: words.cancelledOne,
  })
  const flash = isAwaited || context.query["done"] === "cancelled" ? notice : undefined
  const { responseId, formId, deliveries } = await messageContext(db, workspaceId, delivery.message_id)
  const form = formId === null ? undefined : await findForm(db, workspaceId, formId)
  const name = endpoint ? endpointTitle(endpoint) : words.toRemovedAddress
  const event = delivery.type === formEvent ? undefined : words.eventNames[delivery.type as EventType]
  const isTest = formId === null && event === undefined
  const title = isTest ? words.testDeliveryTo(name) : words.deliveryTo(name, event ?? form?.name)
  const siblings = deliveries.filter(({ id }) => id !== delivery.id)
  const endpoints = await listEndpoints(db, workspaceId)
  return page(
    context,
    { title, current: "webhooks", status: needsConfirmation ? 409 : undefined, flash },
    <>
      <Head
        title={title}
        back={{ href: "/console/deliveries", name: words.deliveries }}
        beside={
          <>
            <StateTag state={delivery.state} />
            {isTest && <Tag mood="plain">{words.testMessage}</Tag>}
          </>
        }
        actions={
          context.may("editor") &&
          obstacle === undefined &&
          !needsConfirmation && (
            <>
              <Cancel delivery={delivery} />
              <Form action={`/console/deliveries/${delivery.id}`}>
                <button type="submit" title={words.resendHint}>
                  {words.resend}
                </button>
              </Form>
            </>
          )
        }
      />
      {context.may("editor") && (
        <Resend delivery={delivery} obstacle={obstacle} needsConfirmation={needsConfirmation} />
      )}
      <Why delivery={delivery} url={endpoint?.url} />
      <section id="state" data-refresh={isAwaited ? "" : undefined}>
        <Facts
          of={[
            [
              words.endpoint,
              endpoint ? (
                <a href={`/console/webhooks/${endpoint.id}/deliveries`}>{endpointName(endpoint)}</a>
              ) : (
                words.removedAddress
              ),
            ],
            [words.messageHint, <code>{delivery.message_id}</code>],
            form &&
              responseId &&
              delivery.payload !== null && [
                words.formResponse,
                <>
                  <a href={`/console/projects/${form.projectId}/forms/${form.id}/responses/${responseId}`}>
                    {words.openResponse}
                  </a>{" "}
                  ({form.name})
                </>,
              ],
            [words.createdAt, date(delivery.created_at)],
            [words.nextAttempt, <Next delivery={delivery} date={date} />],
          ]}
        />
      </section>
      <Attempts delivery={delivery} endpoint={endpoint} date={date} />
      <Section title={words.payload}>
        {delivery.payload === null ? (
          <p>{words.payloadErased}</p>
        ) : (
          <Payload payload={delivery.payload} messageId={delivery.message_id} endpoint={endpoint} />
        )}
      </Section>
      <Siblings siblings={siblings} endpoints={endpoints} />
    </>,
  )
}

/** Resending a delivered message needs a confirmation, given on the page that says it was delivered. */
async function confirmation(deps: ConsoleDeps, context: SubmittedContext): Promise<Response | undefined> {
  if (context.values.get("confirmed") === "yes") return undefined
  return (await deliveryInAddress(deps, context)).state === "delivered"
    ? showPage(deps, context, true)
    : undefined
}

interface ResendProps {
  delivery: Delivery
  obstacle: string | undefined
  needsConfirmation: boolean
}

/** Why it cannot be sent again, or the question whether it really shall be. */
function Resend({ delivery, obstacle, needsConfirmation }: ResendProps) {
  if (obstacle !== undefined) return <p class="notice">{words.cannotResend(obstacle)}</p>
  if (!needsConfirmation) return <Problem />
  const action = `/console/deliveries/${delivery.id}`
  return <Confirmation action={action} told={words.alreadyDelivered} send={words.resendOneAnyway} />
}

interface PayloadProps {
  payload: string
  messageId: string
  endpoint: Endpoint | undefined
}

/** The exact body, and a command that sends it to the application once more, unsigned. */
function Payload({ payload, messageId, endpoint }: PayloadProps) {
  const { text, whole } = shownBody(payload)
  return (
    <>
      <Snippet label={words.requestBody} text={text} />
      {whole !== undefined && (
        <p class="hint">{words.shortened(words.number(text.length), words.number(whole))}</p>
      )}
      {endpoint && endpoint.kind !== "test" && (
        <details class="options">
          <summary>{words.curl}</summary>
          <p class="hint">{words.curlHint}</p>
          <Snippet label={words.curl} text={curlCommand(endpoint.url, messageId, payload)} />
        </details>
      )}
    </>
  )
}

function Siblings({
  siblings,
  endpoints,
}: {
  siblings: readonly MessageContext["deliveries"][number][]
  endpoints: readonly Endpoint[]
}) {
  if (siblings.length === 0) return null
  return (
    <Section title={words.siblings} hint={words.siblingsHint}>
      <ul class="rows">
        {siblings.map(({ id, endpointId, state }) => {
          const endpoint = endpoints.find((each) => each.id === endpointId)
          return (
            <li key={id}>
              <a class="address" href={`/console/deliveries/${id}`}>
                {endpoint ? endpointName(endpoint) : words.removedAddress}
              </a>
              <StateTag state={state} />
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

interface AttemptsProps {
  delivery: Delivery
  endpoint: Endpoint | undefined
  date: (at: string) => string
}

function Attempts({ delivery, endpoint, date }: AttemptsProps) {
  const { columns } = words
  const head = [columns.number, columns.result, columns.kind, columns.at, columns.duration]
  return (
    <Section title={columns.attempts}>
      {delivery.attempts.length === 0 ? (
        <p>{words.noAttempt}</p>
      ) : (
        <Table label={columns.attempts} head={head}>
          {delivery.attempts.map((attempt) => (
            <tr key={attempt.number}>
              <td class="named">{attempt.number}</td>
              <td class="lead whole">
                {outcomeIn(attempt)}
                {attempt.address !== null && <div class="hint">{placeIn(attempt.address)}</div>}
              </td>
              <td>{words.kinds[attempt.kind]}</td>
              <td class="top when">{date(attempt.at)}</td>
              <td>{attempt.duration_ms === null ? "–" : words.milliseconds(attempt.duration_ms)}</td>
            </tr>
          ))}
        </Table>
      )}
      {delivery.attempts.map((attempt, place) => (
        <Exchange
          key={attempt.number}
          endpoint={endpoint}
          messageId={delivery.message_id}
          payload={delivery.payload}
          attempt={attempt}
          isOpen={place === delivery.attempts.length - 1}
        />
      ))}
    </Section>
  )
}

function Next({ delivery, date }: { delivery: Delivery; date: (at: string) => string }) {
  const { state, next_attempt_at, waits_for, held_by, cancel_reason } = delivery
  if (next_attempt_at !== null) return <>{date(next_attempt_at)}</>
  if (held_by !== null)
    return (
      <>
        {words.waitsForOrder}
        <a href={`/console/deliveries/${held_by}`}>{words.theOneBefore}</a>
      </>
    )
  if (waits_for !== null) return <>{words.waitsForRate}</>
  if (cancel_reason !== null) return <>{words.waitedTooLong}</>
  return <>{state === "pending" ? words.inFlight : words.noNext}</>
}

/** Only for a delivery with an attempt to come. */
function Cancel({ delivery: { id, next_attempt_at, waits_for } }: { delivery: Delivery }) {
  if (next_attempt_at === null && waits_for === null) return null
  return (
    <Form
      action={`/console/deliveries/${id}/cancellation`}
      confirm={words.cancelDeliveryConfirm}
      send={words.cancelDelivery}
      look="quiet"
    />
  )
}

/** Why the last attempt of a delivery failed, where, and what its owner can do. */
function Why({ delivery: { state, attempts }, url }: { delivery: LoggedDelivery; url: string | undefined }) {
  const last = attempts.at(-1)
  if (!last || state === "delivered" || last.outcome === "delivered" || last.outcome === "interrupted")
    return null
  const { address } = last
  const result = outcomeIn(last)
  return (
    <p class="problem">
      <strong>
        {address === null ? words.lastAttempt(result) : words.lastAttemptAt(placeIn(address), result)}
      </strong>{" "}
      {adviceFor(last, url)}
    </p>
  )
}

function placeIn(address: string): string {
  const [, ip = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? []
  return words.place(ip, port)
}
