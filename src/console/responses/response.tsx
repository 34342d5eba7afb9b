/** @jsxImportSource preact */
import type { Project } from "../../accounts/project.ts"
import { Refusal } from "../../base/errors.ts"
import type { Form } from "../../forms/definition/form.ts"
import { acceptResponse, eraseResponse } from "../../forms/operations/responses.ts"
import { type FormResponse, findResponse } from "../../forms/responses/form-response.ts"
import { markRead, markUnread } from "../../forms/responses/unread.ts"
import { withoutConfirmationMail } from "../../forms/submission/consent.ts"
import { deliveriesOfResponses, type ResponseDelivery } from "../../webhooks/messages/of-responses.ts"
import { endpointName } from "../../wording/endpoint-name.fr.ts"
import { addressOf, formOf } from "../forms/one-form.tsx"
import { Table, Tag } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { formatTime, Time } from "../kit/dates.tsx"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { type Pages, projectOf } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { StateTag } from "../webhooks/outcome.tsx"
import { listParams, listQuery } from "./response-filter.tsx"
import { Actions, ConsentTag, Origin, questionsBehind, Values } from "./response-parts.tsx"
import { summaryOf } from "./summary.ts"
import { words } from "./words.fr.ts"

/** `list=project`: the operator came from the list of all forms. */
const backParams = [...listParams, "list"]

/** One form response: its values, its consent, its deliveries, and what it came from. Opening it marks it as read. */
export function responsePages(pages: Pages, deps: ConsoleDeps) {
  const { db, clock, config } = deps
  const { timezone } = config

  async function showPage(context: PageContext): Promise<Response> {
    const project = await projectOf(db, context)
    const form = await formOf(deps, context)
    const response = await findResponse(db, form.id, context.params["response"] ?? "")
    if (!response) throw new Refusal("not_found", commonWords.unknownPage)
    if (response.readAt === null) await markRead(db, response.id, context.nowMs)
    const [questions, unasked, deliveries] = await Promise.all([
      questionsBehind(db, project.id, [response]),
      withoutConfirmationMail(db, [response], clock.now()),
      deliveriesOfResponses(db, [response.id]),
    ])
    const { name, email } = summaryOf(form, response)
    const title = name || email || formatTime(response.createdAt, timezone)
    return page(
      context,
      {
        title,
        current: "received",
        project,
        flash: { accepted: words.accepted },
      },
      <>
        <Head
          title={title}
          back={{ href: listAddress(context, form), name: words.back }}
          beside={
            <>
              <Tag mood={response.state === "received" ? "plain" : "warn"}>
                {words.stateOfOne[response.state]}
              </Tag>
              {form.consent && <ConsentTag consent={response.consent} />}
            </>
          }
          actions={
            <>
              {context.may("editor") && (
                <Actions form={form} response={response} back={listQuery(context, {}, backParams)} />
              )}
              {email && (
                <a class="button" href={`mailto:${encodeURIComponent(email)}`}>
                  {words.answerByMail}
                </a>
              )}
            </>
          }
        >
          <Time at={response.createdAt} withYear />
        </Head>
        {unasked.has(response.id) && <p class="notice">{words.consentUnasked}</p>}
        {response.stoppedBy && response.state !== "received" && (
          <p class="notice">{words.stoppedBy[response.stoppedBy]}</p>
        )}
        <section aria-label={words.content}>
          <Values form={form} values={response.values} />
        </section>
        <Deliveries
          deliveries={deliveries.get(response.id) ?? []}
          isReceived={response.state === "received"}
        />
        <Facts
          project={project}
          form={form}
          response={response}
          question={response.answerId === null ? undefined : questions.get(response.answerId)}
        />
      </>,
    )
  }

  pages
    .at("/console/projects/:project/forms/:form/responses/:response")
    .page("", showPage)
    .performs("/acceptance", acceptResponse, {
      leadsTo: ({ form, response }, context) =>
        `${addressOf(form)}/responses/${response.id}?${listQuery(context, { done: "accepted" }, backParams)}`,
    })
    .action("/unread", "editor", async (context) => {
      const form = await formOf(deps, context)
      const response = await findResponse(db, form.id, context.params["response"] ?? "")
      if (!response) throw new Refusal("not_found", commonWords.unknownPage)
      await markUnread(db, response.id)
      return seeOther(listAddress(context, form, { done: "unread" }))
    })
    .performs("/erasure", eraseResponse, {
      leadsTo: ({ form }, context) => listAddress(context, form, { done: "erased" }),
    })
}

function listAddress(context: PageContext, form: Form, more: Record<string, string> = {}): string {
  const path =
    context.query["list"] === "project" ? `/console/projects/${form.projectId}/messages` : addressOf(form)
  const query = listQuery(context, more)
  return query === "" ? path : `${path}?${query}`
}

interface DeliveriesProps {
  deliveries: readonly ResponseDelivery[]
  isReceived: boolean
}

function Deliveries({ deliveries, isReceived }: DeliveriesProps) {
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">{words.deliveries}</h2>
      {deliveries.length === 0 ? (
        <p class="hint">{isReceived ? words.notSent : words.notSentYet}</p>
      ) : (
        <Table
          label={words.deliveriesOfOne}
          head={[words.destination, words.deliveryState, words.attempts, words.endedAt, words.detail]}
        >
          {deliveries.map(({ id, state, attemptsMade, endedAt, endpoint }) => (
            <tr key={id}>
              <td class="lead">
                {endpoint ? (
                  <a href={`/console/webhooks/${endpoint.id}`}>{endpointName(endpoint)}</a>
                ) : (
                  words.removedEndpoint
                )}
              </td>
              <td class="top">
                <StateTag state={state} />
              </td>
              <td class="named">{attemptsMade.toLocaleString("fr")}</td>
              <td class="when">{endedAt === null ? words.noDelivery : <Time at={endedAt} />}</td>
              <td>
                <a
                  href={`/console/deliveries/${id}`}
                  aria-label={words.seeDeliveryTo(endpoint ? endpointName(endpoint) : words.removedEndpoint)}
                >
                  {words.seeDelivery}
                </a>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}

interface FactsProps {
  project: Project
  form: Form
  response: FormResponse
  /** The visitor's question to the assistant before writing. */
  question: string | undefined
}

function Facts({ form, response, question }: FactsProps) {
  const { consent, page: from } = response
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">{words.facts}</h2>
      {response.answerId !== null && <Origin question={question} />}
      <dl class="facts">
        <dt>{words.form}</dt>
        <dd>
          <a href={addressOf(form)}>{form.name}</a>
        </dd>
        <dt>{words.page}</dt>
        <dd>
          <a href={from} rel="noreferrer">
            {from}
          </a>
        </dd>
        <dt>{words.identifier}</dt>
        <dd>
          <code>{response.id}</code>
        </dd>
      </dl>
      {consent && (
        <>
          <h3>{words.consentTitle}</h3>
          <dl class="facts">
            <dt>{words.consentWording}</dt>
            <dd class="lines">{consent.text}</dd>
            <dt>{words.consentAt}</dt>
            <dd>
              <Time at={consent.at} withYear />
            </dd>
            {consent.confirmedAt !== null && (
              <>
                <dt>{words.consentConfirmedAt}</dt>
                <dd>
                  <Time at={consent.confirmedAt} withYear />
                </dd>
              </>
            )}
          </dl>
        </>
      )}
    </section>
  )
}
