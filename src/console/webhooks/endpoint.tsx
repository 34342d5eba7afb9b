/** @jsxImportSource preact */

import { type Endpoint, requireEndpoint } from "../../webhooks/endpoints/endpoint.ts"
import { type EndpointHealth, healthOf } from "../../webhooks/endpoints/health.ts"
import { changeEndpoint, removeEndpoint, rotateSecret } from "../../webhooks/endpoints/operations.ts"
import { testEndpoint } from "../../webhooks/messages/operations.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { formatTime } from "../kit/dates.tsx"
import { flashMessage } from "../kit/flash.ts"
import { Form, Problem } from "../kit/forms/fields.tsx"
import { requireUnchanged, VersionField } from "../kit/forms/optimistic-lock.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import type { Pages } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { type Choices, changeIn, choicesOf, EndpointFields, secretOf } from "./endpoint-form.tsx"
import { EndpointHead } from "./heads.tsx"
import { EndpointState, Trouble } from "./health.tsx"
import { words as webhooksWords } from "./words.fr.ts"

/** The page of an endpoint: settings, secret, test and removal. */
export function endpointPages(pages: Pages, deps: ConsoleDeps) {
  const { db, clock, config } = deps
  const endpointOf = ({ params, workspaceId }: PageContext) =>
    requireEndpoint(db, workspaceId, params["endpoint"] ?? "")

  async function showPage(context: PageContext): Promise<Response> {
    const endpoint = await endpointOf(context)
    const nowMs = clock.now()
    const health = (await healthOf(db, [endpoint.id], [], nowMs)).get(endpoint.id) as EndpointHealth
    return page(
      context,
      { title: webhooksWords.endpoint, current: "webhooks", flash: flashIn(context) },
      <>
        <EndpointHead
          endpoint={endpoint}
          current="manage"
          beside={<EndpointState endpoint={endpoint} health={health} />}
        />
        <Trouble
          endpoint={endpoint}
          health={health}
          date={(at) => formatTime(at, config.timezone, nowMs)}
          mayReplay={context.may("editor")}
        />
        <Settings endpoint={endpoint} choices={await choicesOf(deps, context)} />
        {context.may("editor") && (
          <>
            <div class="columns">
              <Test endpoint={endpoint} />
              <Secret endpoint={endpoint} />
            </div>
            <Removal endpoint={endpoint} />
          </>
        )}
      </>,
    )
  }

  pages
    .at("/console/webhooks/:endpoint")
    .page("", showPage)
    .performs("", changeEndpoint, {
      show: showPage,
      async input(values, context) {
        const endpoint = await endpointOf(context)
        requireUnchanged(values, endpoint)
        return changeIn(values, endpoint)
      },
      leadsTo: ({ id }) => `/console/webhooks/${id}?done=saved`,
    })
    .performs("/secret", rotateSecret, {
      show: showPage,
      leadsTo: ({ endpoint, secret }, context) =>
        shownOnce(context, secretOf(endpoint, secret, webhooksWords.renewed)),
    })
    .performs("/test", testEndpoint, {
      show: showPage,
      leadsTo: ({ deliveryId }) => `/console/deliveries/${deliveryId}?done=tested&made=0`,
    })
    .performs("/removal", removeEndpoint, { show: showPage, leadsTo: () => "/console/webhooks?done=removed" })
}

interface PartProps {
  endpoint: Endpoint
}

function Settings(props: PartProps & { choices: Choices }) {
  const context = usePage()
  const { endpoint, choices } = props
  return (
    <Form action={`/console/webhooks/${endpoint.id}`}>
      <h2>{webhooksWords.settings}</h2>
      <Problem />
      <VersionField record={endpoint} />
      <fieldset disabled={!context.may("editor")}>
        <legend hidden>{webhooksWords.settings}</legend>
        <EndpointFields choices={choices} endpoint={endpoint} />
      </fieldset>
      {context.may("editor") && <button type="submit">{commonWords.save}</button>}
    </Form>
  )
}

function Test({ endpoint }: PartProps) {
  return (
    <section aria-labelledby="test">
      <h2 id="test">{webhooksWords.test}</h2>
      <p class="hint">{webhooksWords.testHint}</p>
      <Form action={`/console/webhooks/${endpoint.id}/test`}>
        <button type="submit" class="quiet">
          {webhooksWords.test}
        </button>
      </Form>
    </section>
  )
}

function Secret({ endpoint }: PartProps) {
  return (
    <section aria-labelledby="secret">
      <h2 id="secret">{webhooksWords.secretTitle}</h2>
      <p class="hint">{webhooksWords.secretHint}</p>
      <Form
        action={`/console/webhooks/${endpoint.id}/secret`}
        confirm={webhooksWords.renewConfirm}
        singleSubmit
      >
        <button type="submit" class="quiet">
          {webhooksWords.renew}
        </button>
      </Form>
    </section>
  )
}

function Removal({ endpoint }: PartProps) {
  return (
    <details class="danger">
      <summary>{webhooksWords.remove}</summary>
      <p>{webhooksWords.removeHint}</p>
      <Form action={`/console/webhooks/${endpoint.id}/removal`} confirm={webhooksWords.removeConfirm}>
        <button type="submit" class="grave">
          {webhooksWords.remove}
        </button>
      </Form>
    </details>
  )
}

function flashIn({ query }: PageContext): string | undefined {
  return flashMessage(query, { saved: webhooksWords.saved })
}
