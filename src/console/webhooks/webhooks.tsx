import { idsOf } from "../../base/ids.ts"
import { oneLine } from "../../base/text.ts"
import { type Endpoint, listEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { type EndpointHealth, readHealth } from "../../webhooks/endpoints/health.ts"
import { addEndpoint } from "../../webhooks/endpoints/operations.ts"
import { endpointName } from "../../wording/endpoint-name.fr.ts"
import { LinkButton, Section } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form, Problem } from "../kit/forms/fields.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { EndpointFields, newFilterIn, readChoices, secretPage } from "./endpoint-form.tsx"
import { type Choices, offersValues, settingsIn } from "./endpoint-settings.tsx"
import { mayTest, NewTestReceiver } from "./first-endpoint.tsx"
import { EndpointUrl, WebhooksHead } from "./heads.tsx"
import { EndpointState, Figures, lastDayStartsMs, Trouble } from "./health.tsx"
import { NeverSent, neverSentTo } from "./never-sent.tsx"
import { RecipesLink } from "./recipes/recipes.tsx"
import { words } from "./words.fr.ts"

/** Characters of the names that an endpoint is limited to. */
const maxLimits = 300

export function webhooksPages(deps: ConsoleDeps) {
  const { db } = deps

  async function show(context: PageContext): Promise<Response> {
    const endpoints = await listEndpoints(db, context.workspaceId)
    const ids = idsOf(endpoints)
    const health = await readHealth(db, ids, lastDayStartsMs(context), context.nowMs)
    const choices = await readChoices(deps, context)
    return page(
      context,
      { title: commonWords.webhooks, current: "webhooks", flash: { removed: words.removed } },
      <>
        <WebhooksHead current="endpoints" />
        <p class="intro">
          {words.intro} <RecipesLink />
        </p>
        <ul class="things">
          {endpoints.map((endpoint) => (
            <Item
              key={endpoint.id}
              endpoint={endpoint}
              health={health.get(endpoint.id) as EndpointHealth}
              choices={choices}
            />
          ))}
        </ul>
        {mayTest(context, endpoints) && (
          <NewTestReceiver look={endpoints.length > 0 ? "quiet" : undefined}>
            <h2>{words.testReceiver}</h2>
            <p class="hint">{words.testReceiverIntro}</p>
          </NewTestReceiver>
        )}
        {context.may("editor") && (
          <Section id="new" title={words.newEndpoint}>
            <Form action="/console/webhooks" singleSubmit send={words.add}>
              <Problem />
              <EndpointFields choices={choices} />
            </Form>
          </Section>
        )}
        {!context.isConnected && context.may("owner") && (
          <p>
            {words.byToken} <a href="/console/settings/tokens">{words.makeToken}</a>
          </p>
        )}
      </>,
    )
  }

  return {
    page: show,
    addEndpoint: performs(addEndpoint, {
      show,
      instead: async (context) => (offersValues(context.values) ? show(context) : undefined),
      input: (values, context) => ({ ...newFilterIn(values, context), ...settingsIn(values) }),
      leadsTo: async ({ endpoint, secret }, context) => {
        const offer = <NeverSent endpoint={endpoint} count={await neverSentTo(deps, endpoint)} />
        return shownOnce(context, secretPage(endpoint, secret, words.created, endpoint.active && offer))
      },
    }),
    addTestReceiver: performs(addEndpoint, {
      show,
      input: () => ({ kind: "test" }),
      leadsTo: ({ endpoint }) => `/console/webhooks/${endpoint.id}/requests`,
    }),
  }
}

interface ItemProps {
  endpoint: Endpoint
  health: EndpointHealth
  choices: Choices
}

function Item({ endpoint, health, choices }: ItemProps) {
  const { id, kind } = endpoint
  const address = `/console/webhooks/${id}`
  return (
    <li>
      <div class="line">
        <h2>
          <a href={`${address}/deliveries`}>{endpointName(endpoint)}</a>
        </h2>
        <EndpointState endpoint={endpoint} health={health} />
        <p class="actions">
          <LinkButton href={`${address}/deliveries`} label={words.deliveries} />
          {kind === "test" && <LinkButton href={`${address}/requests`} label={words.requests} />}
          <LinkButton href={address} label={words.manage} />
        </p>
      </div>
      <EndpointUrl endpoint={endpoint} />
      <p class="hint">{subscriptionText(endpoint, choices)}</p>
      <Trouble endpoint={endpoint} health={health} />
      <Figures health={health} />
    </li>
  )
}

function subscriptionText({ filtered, projects, forms }: Endpoint, choices: Choices): string {
  if (!filtered) return choices.projects.length > 1 ? words.everyProject : words.everyForm
  const names = [
    ...choices.projects.filter(({ id }) => projects.includes(id)).map(({ name }) => words.wholeProject(name)),
    ...choices.forms.filter(({ id }) => forms.includes(id)).map(({ name }) => name),
  ]
  return names.length === 0 ? words.limitedToNothing : words.limitedTo(oneLine(names.join(", "), maxLimits))
}
