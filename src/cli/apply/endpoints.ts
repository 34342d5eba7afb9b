import { endpointShown } from "../../api/endpoints.ts"
import type { GivenHeader } from "../../http/record/own-headers.ts"
import { faultIn } from "../../webhooks/endpoints/conditions.ts"
import { acceptableUrl, listEndpoints } from "../../webhooks/endpoints/endpoint.ts"
import { addEndpoint, changeEndpoint } from "../../webhooks/endpoints/operations.ts"
import { requireValuesFor } from "../../webhooks/endpoints/own-headers.ts"
import { endpointChange, newEndpointOfKind } from "../../webhooks/endpoints/record.ts"
import { findByName, idNamed, listIn, named, type Place, type Thing } from "./things.ts"

/** Endpoints, whose projects and forms are named as the file names them: `Mairie`, `Mairie/Contact`. */
export async function applyEndpoints(place: Place, things: readonly Thing[]): Promise<void> {
  const { app, workspaceId, perform } = place
  const endpoints = await listEndpoints(app.db, workspaceId)
  for (const { at, name, members } of named(place, things, "description")) {
    const present = findByName(place, `${at}description`, endpoints, (each) => each.description === name)
    const { kind, ...wanted } = withIds(place, { at, members })
    if (present && kind !== undefined && kind !== present.kind)
      place.faults[`${at}kind`] = `the endpoint of this description is of kind ${present.kind}`
    const added = kind === undefined ? wanted : { kind, ...wanted }
    await place.one({
      kind: "endpoint",
      name,
      at: at.slice(0, -1),
      wanted: present ? wanted : added,
      present: present && { id: present.id, record: endpointShown.json(present) },
      schema: { added: newEndpointOfKind[kind === "test" ? "test" : "https"], changed: endpointChange },
      async judge({ url, headers }) {
        if (typeof url !== "string" || url === present?.url) return
        const accepted = await acceptableUrl(app.outbound, url)
        if (present) requireValuesFor(accepted, present, headers as GivenHeader[] | undefined)
        return { url: accepted }
      },
      async add() {
        const { endpoint, secret } = await perform(addEndpoint, workspaceId, {}, added)
        return { id: endpoint.id, secret }
      },
      change: () => perform(changeEndpoint, workspaceId, { endpoint: present?.id ?? "" }, wanted),
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
    const { form: name, field, values } = condition.members
    const form = idNamed(place, `${condition.at}form`, name)
    const fields = place.fields.get(name as string)
    if (fields && typeof field === "string" && isTexts(values)) {
      const fault = faultIn({ field, values }, fields)
      if (fault) place.faults[condition.at + fault[0]] = fault[1]
    }
    return { ...condition.members, form: form ?? "" }
  })
  return { ...wanted, ...(members["conditions"] !== undefined && { conditions }) }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string")
}
