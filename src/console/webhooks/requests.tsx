import { Refusal } from "../../base/errors.ts"
import { testAnswers } from "../../db/tables/webhooks.ts"
import { listForms } from "../../forms/definition/form.ts"
import { formAddress } from "../../forms/submission/page.ts"
import { listEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { changeEndpoint } from "../../webhooks/endpoints/operations.ts"
import { listReceivedRequests, type ReceivedRequest } from "../../webhooks/endpoints/received-requests.ts"
import { testEndpoint } from "../../webhooks/messages/operations.ts"
import { formPath } from "../forms/one-form.tsx"
import { takes } from "../home/project-parts.ts"
import { Tag } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { dateFormatter } from "../kit/dates.tsx"
import { Field, Form, Problem, Snippet } from "../kit/forms/fields.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { headerLines, shownBody } from "./exchange.tsx"
import { EndpointHead, endpointInAddress } from "./heads.tsx"
import { words } from "./words.fr.ts"

const shownForms = 5

/** The requests that the test receiver took, and the answer that it is told to give. */
export function requestsPages(deps: ConsoleDeps) {
  const { db, clock, config } = deps
  const date = dateFormatter(config.timezone)

  async function show(context: PageContext): Promise<Response> {
    const endpoint = await endpointInAddress(db, context)
    if (endpoint.kind !== "test") throw new Refusal("not_found", commonWords.unknownPage)
    const { workspaceId } = context
    // The page asks for itself every second: each of these is read only where it is shown.
    const taken = await listReceivedRequests(db, endpoint.id, clock.now())
    const isEmpty = taken.length === 0
    const newest = isEmpty ? await listForms(db, workspaceId, { atMost: shownForms }) : []
    const forms = newest.filter((form) => takes(endpoint, form))
    const isAlone =
      !isEmpty && (await listEndpoints(db, workspaceId, { atMost: 2, after: undefined })).length === 1
    const address = `/console/webhooks/${endpoint.id}`
    const chosen = context.query["request"]
    return page(
      context,
      { title: words.testReceiver, current: "webhooks", flash: { answer: words.answered } },
      <>
        <EndpointHead endpoint={endpoint} current="requests" />
        <p>{words.testReceiverIntro}</p>
        {context.may("editor") && (
          <>
            <Form action={`${address}/answer`} send={commonWords.save} look="quiet">
              <Problem />
              <Field
                name="answer"
                label={words.answerTitle}
                hint={words.answerHint}
                value={endpoint.testAnswer ?? "ok"}
                choices={testAnswers.map((answer) => [answer, words.answers[answer]] as const)}
              />
            </Form>
            <Form action={`${address}/requests`} send={words.test} />
          </>
        )}
        {/* Refreshed as long as it is looked at: what arrives is shown. */}
        <section id="requests" data-refresh="">
          <h2>{words.requests}</h2>
          {isEmpty && (
            <>
              <p>{words.noRequest}</p>
              {forms.length > 0 && (
                <ul>
                  {forms.map((form) => (
                    <li key={form.id}>
                      <a href={form.hosted ? formAddress(config.publicUrl, form) : `${formPath(form)}/html`}>
                        {form.name}
                      </a>
                    </li>
                  ))}
                </ul>
              )}
            </>
          )}
          <ol class="requests">
            {taken.map((request, place) => (
              <Request
                key={request.id}
                request={request}
                address={`${address}/requests`}
                date={date}
                isOpen={request.id === chosen || (place === 0 && !taken.some(({ id }) => id === chosen))}
              />
            ))}
          </ol>
          <p class="hint">{words.requestsKept}</p>
          {isAlone && context.may("editor") && (
            <p>
              {words.nowYours} <a href="/console/webhooks#new">{words.addOwn}</a>
            </p>
          )}
        </section>
      </>,
    )
  }

  return {
    page: show,
    testEndpoint: performs(testEndpoint, {
      show,
      leadsTo: ({ endpoint }) => `/console/webhooks/${endpoint.id}/requests#requests`,
    }),
    changeEndpoint: performs(changeEndpoint, {
      show,
      input: (values) => ({ test_answer: values.get("answer") }),
      leadsTo: ({ id }) => `/console/webhooks/${id}/requests?done=answer`,
    }),
  }
}

interface RequestProps {
  request: ReceivedRequest
  address: string
  date: (at: number) => string
  isOpen: boolean
}

/** One of them shows all of it, the newest unless another is chosen: a page of fifty would be too heavy. */
function Request({ request, address, date, isOpen }: RequestProps) {
  const { id, messageId, isTest, at, signature, answer, headers, body } = request
  return (
    <li id={id}>
      <p class="actions">
        {isOpen ? <strong>{date(at)}</strong> : <a href={`${address}?request=${id}#${id}`}>{date(at)}</a>}
        <Tag mood={signature === "right" ? "good" : "bad"}>{words.signatures[signature]}</Tag>
        {isTest && <Tag mood="plain">{words.testMessage}</Tag>}
        <span>{words.answers[answer]}</span>
        <a href={`/console/deliveries?q=${messageId}`}>
          <code>{messageId}</code>
        </a>
      </p>
      {isOpen && (
        <>
          <Snippet label={words.headers} text={headerLines(headers)} />
          <Snippet label={words.body} text={shownBody(body).text} />
        </>
      )}
    </li>
  )
}
