/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { type Endpoint, listEndpoints, maxEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { type Failing, failingOf } from "../../webhooks/endpoints/failing.ts"
import { registerEndpoint } from "../../webhooks/endpoints/owner.ts"
import { answerInWords } from "../../wording/webhooks.fr.ts"
import { dateWriter } from "../kit/dates.ts"
import { doneOf } from "../kit/done.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { Form, Problem } from "../kit/fields.tsx"
import { type Filled, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { Tag } from "../kit/parts.tsx"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { messages } from "../messages/webhooks.fr.ts"
import { type Choices, choicesOf, EndpointFields, endpointIn, secretOf } from "./endpoint-form.tsx"

/** The endpoints of the workspace, and a new one. */
export function webhooksPages(door: Door, parts: ConsoleParts) {
  const { db, clock, config } = parts

  async function shown(visit: Visit, filled: Filled, status: number): Promise<Response> {
    const part = { atMost: maxEndpoints, after: undefined }
    const endpoints = await listEndpoints(db, visit.workspaceId, part)
    const ids = endpoints.map(({ id }) => id)
    const failing = await failingOf(db, ids, clock.now())
    const choices = await choicesOf(parts, visit)
    const done = doneOf(visit.query, { removed: messages.removed })
    return page(
      visit,
      { title: shellMessages.webhooks, current: "webhooks", status, done },
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
              date={dateWriter(config.timezone)}
            />
          ))}
        </ul>
        {visit.may("editor") && (
          <section aria-labelledby="new">
            <h2 id="new">{messages.newEndpoint}</h2>
            <Form visit={visit} action="/console/webhooks" once>
              <Problem filled={filled} />
              <EndpointFields filled={filled} choices={choices} endpoint={undefined} />
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
      door.page((visit) => shown(visit, untouched, 200)),
    )
    .post(
      "/console/webhooks",
      door.action(
        "editor",
        async (sent) => {
          const { endpoint, secret } = await registerEndpoint(
            parts,
            sent.workspaceId,
            endpointIn(sent.values),
          )
          sent.about(endpoint.id, endpoint.url)
          return shownOnce(sent, secretOf(endpoint, secret, messages.created))
        },
        shown,
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

function limitsOf({ limited, projects, forms }: Endpoint, choices: Choices): string {
  if (!limited) return messages.everyForm
  const names = [
    ...choices.projects
      .filter(({ id }) => projects.includes(id))
      .map(({ name }) => messages.wholeProject(name)),
    ...choices.forms.filter(({ id }) => forms.includes(id)).map(({ name }) => name),
  ]
  return names.length === 0 ? messages.limitedToNothing : messages.limitedTo(names.join(", "))
}
