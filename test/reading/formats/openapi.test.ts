import { expect, test } from "bun:test"
import { localParser } from "../../../src/reading/parser.ts"
import { splitDocument } from "../../../src/reading/passages/split-document.ts"

const place = { path: "openapi.json", url: "https://api.mairie.exemple.fr/openapi.json" }

async function read(description: object | string) {
  const text = typeof description === "string" ? description : JSON.stringify(description)
  return localParser.file(new TextEncoder().encode(text), { ...place, name: "openapi.yaml" })
}

async function operationsIn(description: object | string) {
  const found = await read(description)
  if ("leftOut" in found) throw new Error(JSON.stringify(found))
  expect(found.format).toBe("openapi")
  return found.sections.filter(({ headings }) => headings.length > 0)
}

const enfant = {
  type: "object",
  required: ["nom"],
  properties: {
    nom: { type: "string", description: "Nom de l'enfant" },
    niveau: { enum: ["maternelle", "primaire"] },
    parents: { type: "array", items: { $ref: "#/components/schemas/Parent" } },
  },
}
const parent = { type: "object", properties: { telephone: { type: "string", format: "tel" } } }

const inscription = {
  summary: "Inscrire un enfant",
  description: "Inscrit un enfant pour une **année** dans une école.\n\n# Limites\n\nUne par jour.",
  parameters: [{ $ref: "#/components/parameters/ecole" }],
  requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Enfant" } } } },
  responses: { "201": { description: "Inscription créée" }, "409": { description: "Déjà inscrit" } },
}
const components = {
  parameters: {
    ecole: {
      name: "ecole",
      in: "path",
      required: true,
      schema: { type: "string" },
      description: "Code de l'école",
    },
  },
  schemas: { Enfant: enfant, Parent: parent },
}
const info = { title: "API des écoles", description: "Pour les logiciels des écoles de la commune." }

test("each operation is a section with its call, parameters, fields and replies, and an anchor", async () => {
  const paths = { "/ecoles/{ecole}/enfants": { post: inscription } }
  const [section, ...others] = await operationsIn({ openapi: "3.1.0", info, paths, components })
  expect(others).toEqual([])
  expect(section).toEqual({
    headings: ["Inscrire un enfant (POST /ecoles/{ecole}/enfants)"],
    anchor: "/paths/~1ecoles~1{ecole}~1enfants/post",
    markdown: [
      "Inscrit un enfant pour une **année** dans une école.",
      "Limites",
      "Une par jour.",
      "Paramètres\u00a0:",
      "- `ecole` (path, string, obligatoire) : Code de l'école",
      "Corps\u00a0:",
      "- `nom` (string, obligatoire) : Nom de l'enfant\n- `niveau` (maternelle | primaire)\n- `parents` (object[])\n- `parents[].telephone` (string (tel))",
      "Réponses\u00a0:",
      "- 201 : Inscription créée\n- 409 : Déjà inscrit",
    ].join("\n\n"),
  })
})

test("YAML and Swagger 2 say the same", async () => {
  const swagger = {
    swagger: "2.0",
    info,
    host: "api.mairie.exemple.fr",
    basePath: "/v1",
    paths: {
      "/enfants": {
        post: {
          parameters: [{ in: "body", name: "enfant", schema: { $ref: "#/definitions/Enfant" } }],
          responses: {
            "200": { description: "Fait", schema: { properties: { numero: { type: "integer" } } } },
          },
        },
      },
    },
    definitions: { Enfant: { properties: { nom: { type: "string" } } } },
  }
  const found = await read(Bun.YAML.stringify(swagger, null, 2))
  if ("leftOut" in found) throw new Error(JSON.stringify(found))
  const text = found.sections.map(({ markdown }) => markdown).join("\n")
  expect(found.title).toBe("API des écoles")
  expect(text).toContain("https://api.mairie.exemple.fr/v1")
  expect(text).toContain("- `nom` (string)")
  expect(text).toContain("- `numero` (integer)")
})

test("an operation in a passage has its own address", async () => {
  const paths = { "/enfants": { get: { summary: "Lister", responses: {} }, post: inscription } }
  const found = await read({ openapi: "3.0.3", info, paths, components })
  if ("leftOut" in found) throw new Error(JSON.stringify(found))
  const places = splitDocument(found).flatMap(({ sections, url }) => sections ?? [{ url }])
  expect(places.map(({ url }) => url)).toContain(`${place.url}#/paths/~1enfants/post`)
})

test("schemas that hold themselves, references in circles and elsewhere end", async () => {
  const schema = { properties: { enfant: { $ref: "#/components/schemas/A" } } }
  const loop = { $ref: "#/components/schemas/B" }
  const outside = { $ref: "https://ailleurs.exemple.fr/schema.json" }
  const post = (schema: object) => ({
    post: { requestBody: { content: { "application/json": { schema } } } },
  })
  const operations = await operationsIn({
    openapi: "3.1.0",
    info,
    paths: { "/a": post({ $ref: "#/components/schemas/A" }), "/b": post(loop), "/c": post(outside) },
    components: { schemas: { A: schema, B: loop } },
  })
  expect(operations[0]?.markdown).toContain("`enfant.enfant.enfant")
  expect(operations[0]?.markdown.length).toBeLessThan(500)
})

test("a description of a hundred thousand operations is read up to a limit", async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 60_000 }, (_, at) => [`/${at}`, { get: { summary: `N° ${at}` } }]),
  )
  const found = await read({ openapi: "3.0.0", info, paths })
  expect("sections" in found && found.sections.length).toBeLessThanOrEqual(2001)
})

test("other data are left out as what they are", async () => {
  const other = { leftOut: "unreadable", detail: { code: "reading.otherData" } }
  expect(await read({ name: "guichet" })).toMatchObject(other)
  expect(await read("- a\n- b")).toMatchObject(other)
  expect(await read("{")).toMatchObject(other)
})
