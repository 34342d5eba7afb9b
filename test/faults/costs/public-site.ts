import { findOperator } from "../../../src/accounts/operator.ts"
import { makePasswordLink } from "../../../src/accounts/password-link.ts"
import { maxOptionLength, maxOptions } from "../../../src/forms/definition/field.ts"
import { type AttackedSite, type Furnished, startAttackedSite } from "../attacked-site.ts"

/** The attacked service with everything that a stranger reaches, and the largest forms that an owner may make. */
export interface PublicSite extends AttackedSite, Furniture {
  /** Of a question that was answered. */
  answerId: string
}

interface Furniture {
  /** Every route of the service, as `GET /api/v1/projects/:id`. */
  routes: string[]
  /** Public identifiers. `contact`: the form by which visitors write to the owner. */
  forms: Record<"choices" | "conditions" | "steps" | "files" | "contact", string>
  /** Addresses of the pages that a mailed link leads to. */
  invitation: string
  passwordLink: string
  uploadPath: string
}

/** Of everything that only exists where it is set. */
const environment = {
  GUICHET_OIDC_ISSUER: "http://127.0.0.1:9",
  GUICHET_OIDC_CLIENT_ID: "guichet",
  GUICHET_OIDC_CLIENT_SECRET: "x",
  GUICHET_METRICS_TOKEN: "x".repeat(32),
}

export async function startPublicSite(dataDir: string): Promise<PublicSite> {
  const site = await startAttackedSite(dataDir, environment, furnish)
  const asked = await fetch(`${site.url}/api/v1/ask`, {
    method: "POST",
    headers: { origin: site.origin, "content-type": "application/json" },
    body: JSON.stringify({ project: site.projectId, question: site.question }),
  })
  const { id } = (await asked.json()) as { id: string }
  return { ...site, answerId: id }
}

async function furnish({ app, api, project, server, formOf }: Furnished): Promise<Furniture> {
  const made = async (method: string, path: string, body: object) => {
    const answer = await api.call(method, `/api/v1${path}`, body)
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const projectPath = `/projects/${project.id}`
  await made("PATCH", projectPath, { mcp_enabled: true, llms_enabled: true })
  const contact = await formOf("Contact", [
    { name: "message", label: "Message", type: "textarea" },
    { name: "adresse", label: "Adresse", type: "email" },
  ])
  await made("PATCH", `${projectPath}/widget-settings`, { contact_form: contact.id })
  await made("POST", `${projectPath}/chosen-answers`, {
    questions: ["Où se trouve le guichet ?"],
    answer: "Au rez-de-chaussée. ".repeat(50),
  })
  const feed = await made("POST", `${projectPath}/feeds`, { kind: "upload" })
  const uploads = await made("POST", `${projectPath}/feeds/${feed.id}/uploads`, {
    files: [{ name: "tarifs.md", content: Buffer.from("# Tarifs\n\nUn euro.\n").toString("base64") }],
  })
  const invited = await made("POST", "/operators", { email: "lecture@exemple.fr", role: "viewer" })
  const operator = await findOperator(app.db, "marie@exemple.fr")
  if (!operator) throw new Error("the first operator is gone")
  const wanted = { operator, workspaceId: project.workspaceId, publicUrl: "" }
  return {
    routes: server.routes.map(({ method, path }) => `${method} ${path}`),
    forms: {
      choices: (await formOf("Choices", choices)).public_id,
      conditions: (await formOf("Conditions", conditions)).public_id,
      steps: (await formOf("Steps", steps)).public_id,
      files: (await formOf("Files", files)).public_id,
      contact: contact.public_id,
    },
    invitation: new URL(invited.link).pathname,
    passwordLink: await makePasswordLink(app.db, wanted, app.clock.now()),
    uploadPath: `/uploads/${uploads.items[0].id}/tarifs.md`,
  }
}

const option = (value: string) => ({ value, label: value.slice(0, 20) })

/** The longest values that one form may have, which differ only at their end. */
export const longOptions = Array.from({ length: maxOptions }, (_, number) =>
  `${number}`.padStart(maxOptionLength, "é o"),
)
const choices = [
  { name: "choix", label: "Choix", type: "checkboxes", options: longOptions.map(option) },
  { name: "un", label: "Un", type: "select", options: longOptions.slice(0, 250).map(option) },
]

export const shortOptions = Array.from({ length: 480 }, (_, number) => `o${number}`)
const asked = { name: "choix", label: "Choix", type: "checkboxes", options: shortOptions.map(option) }
const condition = (at: number) => ({
  field: "choix",
  test: "is_not",
  values: Array.from({ length: 20 }, (_, number) => shortOptions[(at * 20 + number) % 480]),
})
const when = { match: "any", conditions: [0, 1, 2, 3, 4].map(condition) }
const text = (number: number) => ({ name: `a${number}`, label: "A", type: "text" })
const conditions = [asked, ...Array.from({ length: 98 }, (_, number) => ({ ...text(number), when }))]
const steps = [
  asked,
  ...Array.from({ length: 49 }, (_, number) => [
    { name: `p${number}`, label: "Page", type: "page" },
    { ...text(number), when },
  ]).flat(),
]
const files = [
  { name: "texte", label: "Texte", type: "text" },
  { name: "piece", label: "Pièce", type: "file", files: 10, megabytes: 20 },
]
