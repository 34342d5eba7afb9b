import { endpointShown } from "../../api/endpoints.ts"
import { acceptableUrl, listEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { addEndpoint, changeEndpoint } from "../../webhooks/endpoints/operations.ts"
import { endpointChange, newEndpointOfKind } from "../../webhooks/endpoints/record.ts"
import { idNamed, listIn, named, type Place, presentOf, type Thing } from "./things.ts"

/** Endpoints, whose projects and forms are named as the file names them: `Mairie`, `Mairie/Contact`. */
export async function applyEndpoints(place: Place, things: readonly Thing[]): Promise<void> {
  const { app, workspaceId, perform } = place
  const endpoints = await listEndpoints(app.db, workspaceId)
  for (const { at, name, members } of named(place, things, "description")) {
    const found = presentOf(place, `${at}description`, endpoints, (each) => each.description === name)
    const wanted = withIds(place, { at, members })
    await place.one({
      kind: "endpoint",
      name,
      at: at.slice(0, -1),
      wanted,
      present: found && { id: found.id, record: endpointShown.json(found) },
      schema: { added: newEndpointOfKind.https, changed: endpointChange },
      async judge() {
        const { url } = wanted
        if (typeof url === "string" && url !== found?.url) await acceptableUrl(app.outbound, url)
      },
      async add() {
        const { endpoint, secret } = await perform(addEndpoint, workspaceId, {}, wanted)
        return { id: endpoint.id, secret }
      },
      change: () => perform(changeEndpoint, workspaceId, { endpoint: found?.id ?? "" }, wanted),
    })
  }
}

function withIds(place: Place, { at, members }: Thing): Record<string, unknown> {
  const wanted = { ...members }
  for (const list of ["projects", "forms"]) {
    const names = members[list]
    if (!Array.isArray(names)) continue
    const ids = names.map((name, index) => idNamed(place, `${at}${list}.${index}`, name))
    wanted[list] = ids.filter((id) => id !== undefined)
  }
  const conditions = listIn(place, { at, members }, "conditions").map((condition) => {
    const form = idNamed(place, `${condition.at}form`, condition.members["form"])
    return { ...condition.members, form: form ?? "" }
  })
  return { ...wanted, ...(members["conditions"] !== undefined && { conditions }) }
}
