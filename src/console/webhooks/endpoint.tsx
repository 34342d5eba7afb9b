/** @jsxImportSource preact */
import { Elysia } from "elysia"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { type EndpointHealth, healthOf } from "../../webhooks/endpoints/health.ts"
import {
  deleteEndpoint,
  requireEndpoint,
  rotateSecret,
  updateEndpoint,
} from "../../webhooks/endpoints/manage-endpoint.ts"
import { sendTest } from "../../webhooks/messages/test-message.ts"
import { testValues } from "../../wording/test-message.fr.ts"
import { formatTime } from "../kit/dates.tsx"
import { flashMessage } from "../kit/flash.ts"
import { Form, Problem } from "../kit/forms/fields.tsx"
import { type FormState, untouched } from "../kit/forms/form-state.ts"
import { requireUnchanged, VersionField } from "../kit/forms/optimistic-lock.tsx"
import type { PageContext } from "../kit/page-context.ts"
import type { ConsoleDeps, PageHandlers } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { messages as webhooksMessages } from "../messages/webhooks.fr.ts"
import { type Choices, changeIn, choicesOf, EndpointFields, secretOf } from "./endpoint-form.tsx"
import { auditName, EndpointHead } from "./heads.tsx"
import { EndpointState, Trouble } from "./health.tsx"

/** The page of an endpoint: settings, secret, test and removal. */
export function endpointPages(handlers: PageHandlers, deps: ConsoleDeps) {
  const { db, clock, config, messageQueue } = deps
  const endpointOf = ({ params, workspaceId }: PageContext) =>
    requireEndpoint(db, workspaceId, params["endpoint"] ?? "")

  async function showPage(context: PageContext, formState: FormState, status: number): Promise<Response> {
    const endpoint = await endpointOf(context)
    const nowMs = clock.now()
    const health = (await healthOf(db, [endpoint.id], [], nowMs)).get(endpoint.id) as EndpointHealth
    return page(
      context,
      { title: webhooksMessages.endpoint, current: "webhooks", status, flash: flashIn(context) },
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
        <Settings
          context={context}
          endpoint={endpoint}
          formState={formState}
          choices={await choicesOf(deps, context)}
          status={status}
        />
        {context.may("editor") && (
          <>
            <div class="columns">
              <Test context={context} endpoint={endpoint} />
              <Secret context={context} endpoint={endpoint} />
            </div>
            <Removal context={context} endpoint={endpoint} />
          </>
        )}
      </>,
    )
  }

  return new Elysia({ name: "console-endpoint", prefix: "/console/webhooks/:endpoint" })
    .get(
      "",
      handlers.page((context) => showPage(context, untouched, 200)),
    )
    .post(
      "",
      handlers.action(
        "editor",
        async (context) => {
          const endpoint = await endpointOf(context)
          requireUnchanged(context.values, endpoint)
          const { id } = endpoint
          const updated = await updateEndpoint(
            deps,
            context.workspaceId,
            id,
            changeIn(context.values, endpoint),
          )
          context.setAuditSubject(id, auditName(updated))
          return seeOther(`/console/webhooks/${id}?done=saved`)
        },
        showPage,
      ),
      { parse: "none" },
    )
    .post(
      "/secret",
      handlers.action(
        "editor",
        async (context) => {
          const endpoint = await endpointOf(context)
          const secret = await rotateSecret(deps, context.workspaceId, endpoint.id)
          context.setAuditSubject(endpoint.id, auditName(endpoint))
          return shownOnce(context, secretOf(endpoint, secret, webhooksMessages.renewed))
        },
        showPage,
      ),
      { parse: "none" },
    )
    .post(
      "/test",
      handlers.action(
        "editor",
        async (context) => {
          const endpoint = await endpointOf(context)
          const { id } = endpoint
          const delivery = await sendTest(db, context.workspaceId, id, testValues, clock.now())
          messageQueue.wake()
          context.setAuditSubject(id, auditName(endpoint))
          return seeOther(`/console/deliveries/${delivery}?done=tested&made=0`)
        },
        showPage,
      ),
      { parse: "none" },
    )
    .post(
      "/removal",
      handlers.action(
        "editor",
        async (context) => {
          const endpoint = await endpointOf(context)
          const { id } = endpoint
          await deleteEndpoint(deps, context.workspaceId, id)
          context.setAuditSubject(id, auditName(endpoint))
          return seeOther("/console/webhooks?done=removed")
        },
        showPage,
      ),
      { parse: "none" },
    )
}

interface PartProps {
  context: PageContext
  endpoint: Endpoint
}

function Settings(props: PartProps & { formState: FormState; choices: Choices; status: number }) {
  const { context, endpoint, formState, choices, status } = props
  return (
    <Form context={context} action={`/console/webhooks/${endpoint.id}`}>
      <h2>{webhooksMessages.settings}</h2>
      <Problem formState={formState} />
      <VersionField record={endpoint} formState={formState} status={status} />
      <fieldset disabled={!context.may("editor")}>
        <legend hidden>{webhooksMessages.settings}</legend>
        <EndpointFields context={context} formState={formState} choices={choices} endpoint={endpoint} />
      </fieldset>
      {context.may("editor") && <button type="submit">{shellMessages.save}</button>}
    </Form>
  )
}

function Test({ context, endpoint }: PartProps) {
  return (
    <section aria-labelledby="test">
      <h2 id="test">{webhooksMessages.test}</h2>
      <p class="hint">{webhooksMessages.testHint}</p>
      <Form context={context} action={`/console/webhooks/${endpoint.id}/test`}>
        <button type="submit" class="quiet">
          {webhooksMessages.test}
        </button>
      </Form>
    </section>
  )
}

function Secret({ context, endpoint }: PartProps) {
  return (
    <section aria-labelledby="secret">
      <h2 id="secret">{webhooksMessages.secretTitle}</h2>
      <p class="hint">{webhooksMessages.secretHint}</p>
      <Form
        context={context}
        action={`/console/webhooks/${endpoint.id}/secret`}
        confirm={webhooksMessages.renewConfirm}
        singleSubmit
      >
        <button type="submit" class="quiet">
          {webhooksMessages.renew}
        </button>
      </Form>
    </section>
  )
}

function Removal({ context, endpoint }: PartProps) {
  return (
    <details class="danger">
      <summary>{webhooksMessages.remove}</summary>
      <p>{webhooksMessages.removeHint}</p>
      <Form
        context={context}
        action={`/console/webhooks/${endpoint.id}/removal`}
        confirm={webhooksMessages.removeConfirm}
      >
        <button type="submit" class="grave">
          {webhooksMessages.remove}
        </button>
      </Form>
    </details>
  )
}

function flashIn({ query }: PageContext): string | undefined {
  return flashMessage(query, { saved: webhooksMessages.saved })
}
