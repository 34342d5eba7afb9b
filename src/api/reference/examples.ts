type Schema = Record<string, unknown>
type Schemas = Record<string, object>

/** Example values by the name of a field; `Form.name` stands before `name`. */
const values: Record<string, unknown> = {
  project: "k3v9x2m7q1w8t5z0",
  "Project.id": "k3v9x2m7q1w8t5z0",
  "Project.name": "Documentation",
  "Form.name": "Contact",
  "Token.name": "site",
  "Workspace.name": "Agence",
  question: "Comment exporter mes données ?",
  page: "/formulaires",
  "FormResponse.page": "https://www.example.fr/contact",
  previous: ["ans_01a20fc58868719e94ac053d6439eded"],
  answer: "L’export CSV s’ouvre directement dans Excel en français. [^1]",
  title: "Recevoir les messages",
  section: "Consulter et exporter",
  n: 1,
  useful: true,
  site: "https://www.example.fr",
  origins: ["https://docs.example.fr"],
  url: "https://docs.example.fr/formulaires#exporter",
  "Endpoint.url": "https://hooks.example.fr/guichet",
  "Feed.address": "https://docs.example.fr/sitemap.xml",
  description: "CRM",
  words: ["courriel", "e-mail"],
  email: "camille@example.fr",
  to: "camille@example.fr",
  since: "2026-11-01",
  scopes: ["forms:read"],
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  token: "gch_3huXagD3heqbP73vViQzaiXBReOVTfRf",
  created_at: "2026-11-24T08:30:00.000Z",
  timestamp: "2026-11-24T08:30:00.000Z",
  "Form.fields.name": "message",
  "Form.fields.label": "Votre message",
  "Form.fields.type": "textarea",
  "Form.consent.text": "J’accepte de recevoir la lettre d’information.",
  "FormResponse.consent.text": "J’accepte de recevoir la lettre d’information.",
  values: { email: "camille@example.fr", message: "Bonjour" },
  "FormResponse.form_name": "Contact",
  id: "…",
  next_cursor: null,
  message: "La question dépasse 1 000 caractères.",
}

/** Example request body: required fields plus the fields listed in `examples`. */
export function exampleBody(schema: Schema, schemas: Schemas): unknown {
  return exampleOf(schema, schemas, "", "", true)
}

/** An example of an answer, with every field. */
export function exampleAnswer(schema: Schema, schemas: Schemas): unknown {
  return exampleOf(schema, schemas, "", "", false)
}

function exampleOf(schema: Schema, schemas: Schemas, name: string, path: string, isBrief: boolean): unknown {
  const reference = typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined
  if (reference !== undefined)
    return exampleOf((schemas[reference] ?? {}) as Schema, schemas, reference, "", isBrief)
  const known = knownValue(name, path)
  if (known !== undefined) return known
  const { properties, required = [], items, anyOf, enum: words, type, default: usual } = schema
  if (usual !== undefined) return usual
  if (Array.isArray(words)) return words[0]
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as Schema, schemas, name, path, isBrief)
  if (properties)
    return Object.fromEntries(
      Object.entries(properties as Record<string, Schema>)
        .map(([field, each]) => [field, each, path === "" ? field : `${path}.${field}`] as const)
        .filter(
          ([field, , place]) =>
            !isBrief || (required as string[]).includes(field) || knownValue(name, place) !== undefined,
        )
        .map(([field, each, place]) => [field, exampleOf(each, schemas, name, place, isBrief)]),
    )
  if (items) return [exampleOf(items as Schema, schemas, name, path, isBrief)]
  return plain[String(type)] ?? null
}

const plain: Record<string, unknown> = { string: "…", integer: 1, number: 1, boolean: true, object: {} }

function knownValue(name: string, path: string): unknown {
  if (path === "") return undefined
  const resource = name.replace(/^(?:New|Made)(?=[A-Z])/, "").replace(/Change$/, "")
  return values[`${resource}.${path}`] ?? values[path.split(".").at(-1) as string]
}
