/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { type Endpoint, listEndpoints, maxEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { type Failing, failingOf } from "../../webhooks/endpoints/failing.ts"
import { createEndpoint } from "../../webhooks/endpoints/manage-endpoint.ts"
import { answerInWords } from "../../wording/webhooks.fr.ts"
import { Tag } from "../kit/components.tsx"
import { dateFormatter } from "../kit/dates.tsx"
import { flashMessage } from "../kit/flash.ts"
import { Form, Problem } from "../kit/forms/fields.tsx"
import { type FormState, untouched } from "../kit/forms/form-state.ts"
import type { PageContext } from "../kit/page-context.ts"
import type { ConsoleDeps, PageHandlers } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { messages } from "../messages/webhooks.fr.ts"
import { type Choices, choicesOf, EndpointFields, endpointIn, secretOf } from "./endpoint-form.tsx"

/** The list of endpoints, and the form for a new one. */
export function webhooksPages(handlers: PageHandlers, deps: ConsoleDeps) {
  const { db, clock, config } = deps

  async function showPage(context: PageContext, formState: FormState, status: number): Promise<Response> {
    const part = { atMost: maxEndpoints, after: undefined }
    const endpoints = await listEndpoints(db, context.workspaceId, part)
    const ids = endpoints.map(({ id }) => id)
    const failing = await failingOf(db, ids, clock.now())
    const choices = await choicesOf(deps, context)
    const flash = flashMessage(context.query, { removed: messages.removed })
    return page(
      context,
      { title: shellMessages.webhooks, current: "webhooks", status, flash },
      <>
        <h1>{messages.webhooks}</h1>
        <p>{messages.intro}</p>
        {endpoints.length === 0 && <p>{messages.none}</p>}
        <ul class="things">
          {endpoints.map((endpoint) => (
            <Item
              key={endpoint.id}
              endpoint={endpoint}
              failing={failing.get(endpoint.id)}
              choices={choices}
              date={dateFormatter(config.timezone)}
            />
          ))}
        </ul>
        {context.may("editor") && (
          <section aria-labelledby="new">
            <h2 id="new">{messages.newEndpoint}</h2>
            <Form context={context} action="/console/webhooks" singleSubmit>
              <Problem formState={formState} />
              <EndpointFields formState={formState} choices={choices} endpoint={undefined} />
              <button type="submit">{messages.add}</button>
            </Form>
          </section>
        )}
      </>,
    )
  }

  return new Elysia({ name: "console-webhooks" })
    .get(
      "/console/webhooks",
      handlers.page((context) => showPage(context, untouched, 200)),
    )
    .post(
      "/console/webhooks",
      handlers.action(
        "editor",
        async (context) => {
          const { endpoint, secret } = await createEndpoint(
            deps,
            context.workspaceId,
            endpointIn(context.values),
          )
          context.setAuditSubject(endpoint.id, endpoint.url)
          return shownOnce(context, secretOf(endpoint, secret, messages.created))
        },
        showPage,
      ),
      { parse: "none" },
    )
}

interface ItemProps {
  endpoint: Endpoint
  failing: Failing | undefined
  choices: Choices
  date: (atMs: number) => string
}

function Item({ endpoint, failing, choices, date }: ItemProps) {
  const { id, url, description } = endpoint
  return (
    <li>
      <h2>{url}</h2>
      <p class="actions">
        <EndpointState endpoint={endpoint} failing={failing} />
        {description && <span>{description}</span>}
      </p>
      {failing && (
        <p class="notice">{messages.failingSince(date(failing.sinceMs), answerInWords(failing))}</p>
      )}
      <p class="hint">{limitsOf(endpoint, choices)}</p>
      <p class="actions">
        <a class="button quiet" href={`/console/webhooks/${id}/deliveries`}>
          {messages.deliveries}
        </a>
        <a class="button quiet" href={`/console/webhooks/${id}`}>
          {messages.manage}
        </a>
      </p>
    </li>
  )
}

export function EndpointState({ endpoint, failing }: Pick<ItemProps, "endpoint" | "failing">) {
  if (!endpoint.active) return <Tag mood="plain">{messages.inactive}</Tag>
  return failing ? <Tag mood="bad">{messages.failing}</Tag> : <Tag mood="good">{messages.active}</Tag>
}

function limitsOf({ filtered, projects, forms }: Endpoint, choices: Choices): string {
  if (!filtered) return messages.everyForm
  const names = [
    ...choices.projects
      .filter(({ id }) => projects.includes(id))
      .map(({ name }) => messages.wholeProject(name)),
    ...choices.forms.filter(({ id }) => forms.includes(id)).map(({ name }) => name),
  ]
  return names.length === 0 ? messages.limitedToNothing : messages.limitedTo(names.join(", "))
}
