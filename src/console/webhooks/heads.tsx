import type { Db } from "../../db/connection.ts"
import { type Endpoint, requireEndpoint } from "../../webhooks/endpoints/endpoint.ts"
import type { EndpointHealth } from "../../webhooks/endpoints/health.ts"
import { endpointName } from "../../wording/endpoint-name.fr.ts"
import { Tabs } from "../kit/components.tsx"
import { Head } from "../kit/head.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { words as commonWords } from "../kit/words.fr.ts"
import { EndpointState } from "./health.tsx"
import { words } from "./words.fr.ts"

/** The endpoint in the page's address. Throws Refusal `not_found` as `requireEndpoint` does. */
export function endpointInAddress(db: Db, { params, workspaceId }: PageContext): Promise<Endpoint> {
  return requireEndpoint(db, workspaceId, params["endpoint"] ?? "")
}

/** Before there is an endpoint or a token, the page is where the first application is connected. */
export function WebhooksHead({ current }: { current: "endpoints" | "deliveries" }) {
  const { isConnected, may } = usePage()
  if (!isConnected && current === "endpoints" && may("editor")) return <Head title={commonWords.connect} />
  return (
    <>
      <Head title={words.webhooks} />
      <Tabs
        label={words.webhooks}
        tabs={[
          ["/console/webhooks", words.endpoints, current === "endpoints"],
          ["/console/deliveries", words.deliveries, current === "deliveries"],
        ]}
      />
    </>
  )
}

interface EndpointHeadProps {
  endpoint: Endpoint
  current: "requests" | "deliveries" | "replay" | "manage"
  /** Shown beside the name. */
  health?: EndpointHealth
}

export function EndpointHead({ endpoint, current, health }: EndpointHeadProps) {
  const address = `/console/webhooks/${endpoint.id}`
  const tab = (key: typeof current, path: string, name: string) =>
    [`${address}${path}`, name, current === key] as const
  return (
    <>
      <Head
        title={endpointName(endpoint)}
        back={{ href: "/console/webhooks", name: words.webhooks }}
        beside={health && <EndpointState endpoint={endpoint} health={health} />}
      >
        {endpoint.description && endpoint.kind !== "test" && endpoint.url}
      </Head>
      <Tabs
        label={words.endpoint}
        tabs={[
          ...(endpoint.kind === "test" ? [tab("requests", "/requests", words.requests)] : []),
          tab("deliveries", "/deliveries", words.deliveries),
          tab("replay", "/replay", words.replayTitle),
          tab("manage", "", words.manage),
        ]}
      />
    </>
  )
}

/** The page to look at first: what arrived at a test receiver, else how the endpoint is set. */
export function endpointPage({ id, kind }: Pick<Endpoint, "id" | "kind">): string {
  return `/console/webhooks/${id}${kind === "test" ? "/requests" : ""}`
}

/** Below the name, where that is a description. The test receiver has no address that anybody can call. */
export function EndpointUrl({ endpoint: { kind, url, description } }: { endpoint: Endpoint }) {
  return description && kind !== "test" ? <p class="hint address">{url}</p> : null
}
