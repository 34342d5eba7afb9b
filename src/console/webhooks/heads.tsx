/** @jsxImportSource preact */
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { Tabs } from "../kit/components.tsx"
import { messages } from "../messages/destinations.fr.ts"
import { messages as webhooksMessages } from "../messages/webhooks.fr.ts"

/** Heading of the pages about all endpoints of the workspace. */
export function WebhooksHead({ current }: { current: "endpoints" | "deliveries" }) {
  return (
    <>
      <h1>{webhooksMessages.webhooks}</h1>
      <Tabs
        label={webhooksMessages.webhooks}
        tabs={[
          { href: "/console/webhooks", name: messages.endpoints, current: current === "endpoints" },
          { href: "/console/deliveries", name: messages.deliveries, current: current === "deliveries" },
        ]}
      />
    </>
  )
}

/** Heading of the pages about one endpoint. */
export function EndpointHead({
  endpoint,
  current,
}: {
  endpoint: Endpoint
  current: "requests" | "deliveries" | "replay" | "manage"
}) {
  const address = `/console/webhooks/${endpoint.id}`
  const tab = (key: typeof current, path: string, name: string) => ({
    href: `${address}${path}`,
    name,
    current: current === key,
  })
  return (
    <>
      <h1>{endpointName(endpoint)}</h1>
      {endpoint.description && endpoint.kind !== "test" && <p class="hint">{endpoint.url}</p>}
      <Tabs
        label={webhooksMessages.endpoint}
        tabs={[
          ...(endpoint.kind === "test" ? [tab("requests", "/requests", messages.requests)] : []),
          tab("deliveries", "/deliveries", messages.deliveries),
          tab("replay", "/replay", messages.replayTitle),
          tab("manage", "", webhooksMessages.manage),
        ]}
      />
    </>
  )
}

/** The page to look at first: what arrived at a test receiver, else how the endpoint is set. */
export function endpointPage({ id, kind }: Pick<Endpoint, "id" | "kind">): string {
  return `/console/webhooks/${id}${kind === "test" ? "/requests" : ""}`
}

/** The name by which lists know an endpoint. */
export function endpointName({ kind, description, url }: Endpoint): string {
  return description || (kind === "test" ? messages.testReceiver : url)
}
