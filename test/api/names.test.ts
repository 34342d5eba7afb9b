import { afterAll, beforeAll, expect, test } from "bun:test"
import { contact, type FormSite } from "../support/forms.ts"
import { signedIn } from "../support/operator.ts"
import { aService } from "../support/service-builder.ts"

// Names stand on one line of lists, logs, mails and file names.

let forms: FormSite
beforeAll(async () => {
  forms = await aService().withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

const bad = ["a\nb", "a\r\nb", "a\u2028b", "a\u0000b", "a\u202eb", "a\u2066b", "a\u0085b"]
const things: [path: string, field: string, body: () => object][] = [
  ["/api/v1/projects", "name", () => ({ site: "https://www.autre.fr" })],
  ["/api/v1/workspaces", "name", () => ({})],
  ["/api/v1/tokens", "name", () => ({})],
  ["/api/v1/forms", "name", () => ({ ...contact, project: forms.projectId })],
  ["/api/v1/endpoints", "description", () => ({ kind: "test" })],
]

test.each(things)(
  "%s: a %s of several lines, or with control characters, is refused",
  async (path, field, body) => {
    for (const text of bad) {
      const refused = await forms.api.post(path, { ...body(), [field]: text })
      expect([text, refused.status, Object.keys(refused.body.error?.fields ?? {})]).toEqual([
        text,
        400,
        [field],
      ])
    }
    expect((await forms.api.post(path, { ...body(), [field]: "Œuvres — l’été" })).status).toBe(201)
  },
)

test("the console refuses them too", async () => {
  const { service } = forms
  const browser = await signedIn(service)
  const typed: [path: string, values: Record<string, string>][] = [
    ["/console/projects", { site: "https://www.autre.fr", name: "a\nb" }],
    [`/console/projects/${forms.projectId}/settings`, { site: "https://www.exemple.fr", name: "a\u202eb" }],
    ["/console/settings/workspaces", { name: "a\nb" }],
    ["/console/settings/tokens", { name: "a\u2028b" }],
  ]
  for (const [path, values] of typed) {
    const { status } = await browser.post(path, values)
    expect([path, status]).toEqual([path, 400])
  }
})
