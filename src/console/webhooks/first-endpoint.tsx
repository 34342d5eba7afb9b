import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { addressWith, LinkButton } from "../kit/components.tsx"
import { Form, type FormProps } from "../kit/forms/fields.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { words } from "./words.fr.ts"

/** What an owner begins with: the test receiver, unless there is one, or the form for an endpoint of their own. */
export function FirstEndpoint({ endpoints, project }: { endpoints: readonly Endpoint[]; project: string }) {
  const context = usePage()
  if (!context.may("editor")) return null
  return (
    <div class="actions">
      {mayTest(context, endpoints) && <NewTestReceiver />}
      <LinkButton href={addressWith("/console/webhooks#new", { project })} label={words.addOwn} />
    </div>
  )
}

/** Makes the test receiver with one click, and leads to what arrives there. */
export function NewTestReceiver(form: Pick<FormProps, "look" | "children">) {
  return <Form action="/console/webhooks/test-receiver" singleSubmit send={words.addTestReceiver} {...form} />
}

/** A workspace has one test receiver at most. */
export function mayTest(context: PageContext, endpoints: readonly Endpoint[]): boolean {
  return context.may("editor") && !endpoints.some(({ kind }) => kind === "test")
}
