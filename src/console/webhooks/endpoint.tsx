/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { dayIn, dayMs } from "../../base/clock.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { failingOf } from "../../webhooks/endpoints/failing.ts"
import { alterEndpoint, deleteEndpoint, ownEndpoint, renewSecret } from "../../webhooks/endpoints/owner.ts"
import { replay } from "../../webhooks/messages/replay.ts"
import { sendTest } from "../../webhooks/messages/test-message.ts"
import { testValues } from "../../wording/test-message.fr.ts"
import { answerInWords } from "../../wording/webhooks.fr.ts"
import { dateWriter } from "../kit/dates.ts"
import { beginsAt } from "../kit/day.ts"
import { doneOf } from "../kit/done.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { Field, Form, Problem } from "../kit/fields.tsx"
import { type Filled, ofForm, untouched } from "../kit/form.ts"
import type { Sent, Visit } from "../kit/page-context.ts"
import { Tabs } from "../kit/parts.tsx"
import { seeOther } from "../kit/reply.ts"
import { requireSeen, Seen } from "../kit/seen.tsx"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { messages as webhooksMessages } from "../messages/webhooks.fr.ts"
import { type Choices, changeIn, choicesOf, EndpointFields, secretOf } from "./endpoint-form.tsx"
import { EndpointState } from "./webhooks.tsx"

const replayedByDefaultMs = 7 * dayMs

/** One endpoint: its settings, its secret, a test, a replay, its removal. */
export function endpointPages(door: Door, parts: ConsoleParts) {
  const { db, clock, config, messages } = parts
  const endpointOf = ({ params, workspaceId }: Visit) =>
    ownEndpoint(db, workspaceId, params["endpoint"] ?? "")

  async function shown(visit: Visit, filled: Filled, status: number): Promise<Response> {
    const endpoint = await endpointOf(visit)
    const failing = (await failingOf(db, [endpoint.id], clock.now())).get(endpoint.id)
    const since = dateWriter(config.timezone)
    return page(
      visit,
      { title: webhooksMessages.endpoint, current: "webhooks", status, done: doneIn(visit) },
      <>
        <EndpointHead endpoint={endpoint} current="manage" />
        <p>
          <EndpointState endpoint={endpoint} failing={failing} />
        </p>
        {failing && (
          <p class="notice">
            {webhooksMessages.failingSince(since(failing.sinceMs), answerInWords(failing))}
          </p>
        )}
        <Settings
          visit={visit}
          endpoint={endpoint}
          filled={filled.values.has("since") ? untouched : filled}
          choices={await choicesOf(parts, visit)}
          status={status}
        />
        {visit.may("editor") && (
          <>
            <Test visit={visit} endpoint={endpoint} />
            <Replay
              visit={visit}
              endpoint={endpoint}
              filled={ofForm(filled, "since")}
              since={dayIn(config.timezone, clock.now() - replayedByDefaultMs)}
            />
            <Secret visit={visit} endpoint={endpoint} />
            <Removal visit={visit} endpoint={endpoint} />
          </>
        )}
      </>,
    )
  }

  async function replayed(sent: Sent): Promise<Response> {
    const { id, url } = await endpointOf(sent)
    const sinceMs = beginsAt(sent.values.get("since") ?? "", config.timezone)
    const owner = { workspaceId: sent.workspaceId, endpointId: id }
    const count = await replay(db, owner, sinceMs, clock.now())
    messages.wake()
    sent.about(id, url)
    return seeOther(`/console/webhooks/${id}/deliveries?replayed=${count}`)
  }

  return new Elysia({ name: "console-endpoint", prefix: "/console/webhooks/:endpoint" })
    .get(
      "",
      door.page((visit) => shown(visit, untouched, 200)),
    )
    .post(
      "",
      door.action(
        "editor",
        async (sent) => {
          const endpoint = await endpointOf(sent)
          requireSeen(sent.values, endpoint)
          const { id } = endpoint
          const { url } = await alterEndpoint(parts, sent.workspaceId, id, changeIn(sent.values, endpoint))
          sent.about(id, url)
          return seeOther(`/console/webhooks/${id}?done=saved`)
        },
        shown,
      ),
      { parse: "none" },
    )
    .post(
      "/secret",
      door.action(
        "editor",
        async (sent) => {
          const endpoint = await endpointOf(sent)
          const secret = await renewSecret(parts, sent.workspaceId, endpoint.id)
          sent.about(endpoint.id, endpoint.url)
          return shownOnce(sent, secretOf(endpoint, secret, webhooksMessages.renewed))
        },
        shown,
      ),
      { parse: "none" },
    )
    .post(
      "/test",
      door.action(
        "editor",
        async (sent) => {
          const { id, url } = await endpointOf(sent)
          const delivery = await sendTest(db, sent.workspaceId, id, testValues, clock.now())
          messages.wake()
          sent.about(id, url)
          return seeOther(`/console/deliveries/${delivery}?done=tested&made=0`)
        },
        shown,
      ),
      { parse: "none" },
    )
    .post("/replays", door.action("editor", replayed, shown), { parse: "none" })
    .post(
      "/removal",
      door.action(
        "editor",
        async (sent) => {
          const { id, url } = await endpointOf(sent)
          await deleteEndpoint(parts, sent.workspaceId, id)
          sent.about(id, url)
          return seeOther("/console/webhooks?done=removed")
        },
        shown,
      ),
      { parse: "none" },
    )
}

/** The address and the pages about it. */
export function EndpointHead({
  endpoint,
  current,
}: {
  endpoint: Endpoint
  current: "manage" | "deliveries"
}) {
  const address = `/console/webhooks/${endpoint.id}`
  return (
    <>
      <h1>{endpoint.description || endpoint.url}</h1>
      {endpoint.description && <p class="hint">{endpoint.url}</p>}
      <Tabs
        label={webhooksMessages.endpoint}
        tabs={[
          {
            href: `${address}/deliveries`,
            name: webhooksMessages.deliveries,
            current: current === "deliveries",
          },
          { href: address, name: webhooksMessages.manage, current: current === "manage" },
        ]}
      />
    </>
  )
}

interface PartProps {
  visit: Visit
  endpoint: Endpoint
}

function Settings(props: PartProps & { filled: Filled; choices: Choices; status: number }) {
  const { visit, endpoint, filled, choices, status } = props
  return (
    <Form visit={visit} action={`/console/webhooks/${endpoint.id}`}>
      <h2>{webhooksMessages.settings}</h2>
      <Problem filled={filled} />
      <Seen thing={endpoint} filled={filled} status={status} />
      <fieldset disabled={!visit.may("editor")}>
        <legend hidden>{webhooksMessages.settings}</legend>
        <EndpointFields filled={filled} choices={choices} endpoint={endpoint} />
      </fieldset>
      {visit.may("editor") && <button type="submit">{shellMessages.save}</button>}
    </Form>
  )
}

function Test({ visit, endpoint }: PartProps) {
  return (
    <Form visit={visit} action={`/console/webhooks/${endpoint.id}/test`}>
      <h2>{webhooksMessages.test}</h2>
      <p class="hint">{webhooksMessages.testHint}</p>
      <button type="submit" class="quiet">
        {webhooksMessages.test}
      </button>
    </Form>
  )
}

function Replay({ visit, endpoint, filled, since }: PartProps & { filled: Filled; since: string }) {
  return (
    <Form visit={visit} action={`/console/webhooks/${endpoint.id}/replays`}>
      <h2>{webhooksMessages.replay}</h2>
      <p class="hint">{webhooksMessages.replayHint}</p>
      {!filled.problems["since"] && <Problem filled={filled} />}
      <Field filled={filled} name="since" type="date" label={webhooksMessages.since} value={since} />
      <button type="submit" class="quiet">
        {webhooksMessages.replayButton}
      </button>
    </Form>
  )
}

function Secret({ visit, endpoint }: PartProps) {
  return (
    <Form
      visit={visit}
      action={`/console/webhooks/${endpoint.id}/secret`}
      confirm={webhooksMessages.renewConfirm}
      once
    >
      <h2>{webhooksMessages.secretTitle}</h2>
      <p class="hint">{webhooksMessages.secretHint}</p>
      <button type="submit" class="quiet">
        {webhooksMessages.renew}
      </button>
    </Form>
  )
}

function Removal({ visit, endpoint }: PartProps) {
  return (
    <details class="danger">
      <summary>{webhooksMessages.remove}</summary>
      <p>{webhooksMessages.removeHint}</p>
      <Form
        visit={visit}
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

function doneIn({ query }: Visit): string | undefined {
  return doneOf(query, { saved: webhooksMessages.saved })
}
