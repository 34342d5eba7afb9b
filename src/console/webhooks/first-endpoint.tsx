import type { ComponentChildren } from "preact"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { addressWith } from "../kit/components.tsx"
import { Form } from "../kit/forms/fields.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { words } from "./words.fr.ts"

interface FirstEndpointProps {
  project?: string | undefined
  endpoints: readonly Endpoint[]
}

/** What an owner begins with: the test receiver, unless there is one, or the form for an endpoint of their own. */
export function FirstEndpoint({ endpoints, project }: FirstEndpointProps) {
  const context = usePage()
  if (!context.may("editor")) return null
  return (
    <div class="actions">
      {mayTest(context, endpoints) && <NewTestReceiver />}
      <a class="button quiet" href={addressWith("/console/webhooks#new", { project })}>
        {words.addOwn}
      </a>
    </div>
  )
}

interface NewTestReceiverProps {
  isQuiet?: boolean
  children?: ComponentChildren
}

/** Makes the test receiver with one click, and leads to what arrives there. */
export function NewTestReceiver({ isQuiet = false, children }: NewTestReceiverProps) {
  return (
    <Form
      action="/console/webhooks/test-receiver"
      singleSubmit
      send={words.addTestReceiver}
      look={isQuiet ? "quiet" : undefined}
    >
      {children}
    </Form>
  )
}

/** A workspace has one test receiver at most. */
export function mayTest(context: PageContext, endpoints: readonly Endpoint[]): boolean {
  return context.may("editor") && !endpoints.some(({ kind }) => kind === "test")
}
