import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { type EndpointHealth, readHealth } from "../../webhooks/endpoints/health.ts"
import { changeEndpoint, removeEndpoint, rotateSecret } from "../../webhooks/endpoints/operations.ts"
import { testEndpoint } from "../../webhooks/messages/operations.ts"
import { Section } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { VersionField } from "../kit/forms/optimistic-lock.tsx"
import { Removal } from "../kit/forms/removal.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { EndpointFields, filterIn, readChoices, secretPage } from "./endpoint-form.tsx"
import { type Choices, offersValues, settingsIn } from "./endpoint-settings.tsx"
import { EndpointHead, endpointInAddress } from "./heads.tsx"
import { Trouble } from "./health.tsx"
import { RecipesLink } from "./recipes/recipes.tsx"
import { words } from "./words.fr.ts"

/** The page of an endpoint: settings, secret, test and removal. */
export function endpointPages(deps: ConsoleDeps) {
  const { db } = deps

  async function show(context: PageContext): Promise<Response> {
    const endpoint = await endpointInAddress(db, context)
    const health = (await readHealth(db, [endpoint.id], [], context.nowMs)).get(endpoint.id) as EndpointHealth
    return page(
      context,
      { title: words.endpoint, current: "webhooks", flash: { saved: words.saved } },
      <>
        <EndpointHead endpoint={endpoint} current="manage" health={health} />
        <Trouble endpoint={endpoint} health={health} />
        <Settings endpoint={endpoint} choices={await readChoices(deps, context, endpoint)} />
        {context.may("editor") && (
          <>
            <div class="columns">
              <Test endpoint={endpoint} />
              <Secret endpoint={endpoint} />
            </div>
            <Removal action={`/console/webhooks/${endpoint.id}/removal`} says={words} />
          </>
        )}
      </>,
    )
  }

  return {
    page: show,
    changeEndpoint: performs(changeEndpoint, {
      show,
      instead: async (context) => (offersValues(context.values) ? show(context) : undefined),
      record: (context) => endpointInAddress(db, context),
      input: async (values, context) => ({
        ...filterIn(values, await endpointInAddress(db, context)),
        ...settingsIn(values),
      }),
      leadsTo: ({ id }) => `/console/webhooks/${id}?done=saved`,
    }),
    rotateSecret: performs(rotateSecret, {
      show,
      leadsTo: ({ endpoint, secret }, context) =>
        shownOnce(context, secretPage(endpoint, secret, words.renewed)),
    }),
    testEndpoint: performs(testEndpoint, {
      show,
      leadsTo: ({ deliveryId }) => `/console/deliveries/${deliveryId}?done=tested&made=0`,
    }),
    removeEndpoint: performs(removeEndpoint, { show, leadsTo: () => "/console/webhooks?done=removed" }),
  }
}

interface PartProps {
  endpoint: Endpoint
}

function Settings({ endpoint, choices }: PartProps & { choices: Choices }) {
  const context = usePage()
  return (
    <Form action={`/console/webhooks/${endpoint.id}`}>
      <h2>{words.settings}</h2>
      <Problem />
      <VersionField record={endpoint} />
      <fieldset disabled={!context.may("editor")}>
        <legend hidden>{words.settings}</legend>
        <EndpointFields choices={choices} endpoint={endpoint} />
      </fieldset>
      {context.may("editor") && <button type="submit">{commonWords.save}</button>}
    </Form>
  )
}

function Test({ endpoint }: PartProps) {
  return (
    <Section id="test" title={words.test} hint={words.testHint}>
      <Form action={`/console/webhooks/${endpoint.id}/test`} send={words.test} look="quiet">
        {endpoint.events.length > 1 && (
          <Field
            name="type"
            prefix="test_"
            label={words.testType}
            choices={endpoint.events.map((type) => [type, words.eventNames[type]] as const)}
          />
        )}
        {endpoint.events.length === 1 && <input type="hidden" name="type" value={endpoint.events[0]} />}
      </Form>
      {endpoint.kind !== "test" && (
        <p>
          <RecipesLink />
        </p>
      )}
    </Section>
  )
}

function Secret({ endpoint }: PartProps) {
  return (
    <Section id="secret" title={words.secretTitle} hint={words.secretHint}>
      <Form
        action={`/console/webhooks/${endpoint.id}/secret`}
        confirm={words.renewConfirm}
        singleSubmit
        send={words.renew}
        look="quiet"
      />
    </Section>
  )
}
