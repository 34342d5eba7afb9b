import { expect, test } from "bun:test"
import { schemaType } from "../../../src/reading/formats/openapi/schema-notes.ts"
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

/** The text of the operations of a description with one operation, its parts as `components`. */
async function textOf(operation: object, parts: object = {}, files: Record<string, string> = {}) {
  const text = JSON.stringify({
    openapi: "3.1.0",
    info,
    paths: { "/salles": { get: operation } },
    components: parts,
  })
  const named = { ...place, name: "api/openapi.json", files }
  const found = await localParser.file(new TextEncoder().encode(text), named)
  if ("leftOut" in found) throw new Error(JSON.stringify(found))
  return {
    text: found.sections.map(({ markdown }) => markdown).join("\n\n"),
    lost: (found.html?.leftOut ?? []).map(({ reason, text }) => `${reason}: ${text}`),
  }
}

const json = (schema: object, more: object = {}) => ({ content: { "application/json": { schema, ...more } } })

test("what a schema says of its values is read: bounds, usual value, examples, constants, lists, what is obsolete", async () => {
  const properties = {
    duree: { type: "integer", default: 60, minimum: 30, maximum: 480, multipleOf: 15, description: "Durée" },
    prix: { type: "number", minimum: 0, exclusiveMinimum: true, exclusiveMaximum: 1000 },
    siret: { type: "string", pattern: "^\\d{14}$", example: "12345678901234" },
    nom: { type: ["string", "null"], minLength: 2, maxLength: 80, examples: ["Salle Bleue", "Salle Verte"] },
    genre: { const: "societe" },
    equipement: { type: "array", items: { enum: ["ecran", "visio"] }, minItems: 1, uniqueItems: true },
    ancien: { type: "string", deprecated: true, readOnly: true },
    etiquettes: { type: "object", additionalProperties: { type: "string", description: "Libre" } },
    payeur: { oneOf: [{ type: "string" }, { type: "integer" }] },
  }
  const { text, lost } = await textOf({ requestBody: json({ required: ["duree"], properties }) })
  for (const line of [
    "`duree` (integer, obligatoire, de 30 à 480, multiple de 15, par défaut 60) : Durée",
    "`prix` (number, plus de 0, moins de 1000)",
    "`siret` (string, de la forme ^\\d{14}$, exemple\u00a0: 12345678901234)",
    "`nom` (string, de 2 à 80 caractères, peut être nul, exemple\u00a0: Salle Bleue, Salle Verte)",
    "`genre` (toujours societe)",
    "`equipement` ((ecran | visio)[], au moins 1 élément, sans doublon)",
    "`ancien` (string, en lecture seule, obsolète)",
    "`etiquettes.*` (string) : Libre",
    "`payeur` (string | integer)",
  ])
    expect(text.replaceAll("\\\\", "\\")).toContain(`- ${line}`)
  expect(lost).toEqual([])
})

/** What makers write of a field, as a small program that was made with each showed it. */
test.each<[string, object, string]>([
  [
    "FastAPI 0.165 and pydantic 2.14, a text or None of 60 characters",
    { anyOf: [{ type: "string", maxLength: 60 }, { type: "null" }], title: "Nom", description: "Usuel" },
    "(string, au plus 60 caractères, peut être nul) : Usuel",
  ],
  [
    "FastAPI 0.165, a reference or None: the words and values of what is referred to",
    { anyOf: [{ $ref: "#/components/schemas/Etat" }, { type: "null" }] },
    "(ouvert | ferme, peut être nul) : État du dossier",
  ],
  [
    "drf-spectacular 0.30, a reference in a list of one, more beside it",
    { allOf: [{ $ref: "#/components/schemas/Etat" }], readOnly: true, description: "Le sien" },
    "(ouvert | ferme, en lecture seule) : Le sien",
  ],
  [
    "drf-spectacular 0.30, a choice or null",
    { nullable: true, oneOf: [{ $ref: "#/components/schemas/Etat" }, { enum: [null] }] },
    "(ouvert | ferme, peut être nul) : État du dossier",
  ],
  [
    "zod-to-openapi 9.1, words beside a reference",
    { allOf: [{ $ref: "#/components/schemas/Etat" }, { description: "Le sien", default: "ferme" }] },
    "(ouvert | ferme, par défaut ferme) : Le sien",
  ],
  [
    "zod-to-openapi 9.1 for OpenAPI 3.1, an enumeration or null",
    { allOf: [{ $ref: "#/components/schemas/Etat" }, { type: ["string", "null"] }] },
    "(ouvert | ferme, peut être nul) : État du dossier",
  ],
  [
    "zod-to-openapi 9.1 for OpenAPI 3.0, an enumeration or null",
    { allOf: [{ $ref: "#/components/schemas/Etat" }, { nullable: true }] },
    "(ouvert | ferme, peut être nul) : État du dossier",
  ],
  [
    "TypeBox 0.34, a union of literals",
    {
      anyOf: [
        { const: "a", type: "string", description: "Accordé" },
        { const: "r", type: "string" },
        { type: "null" },
      ],
    },
    "(a | r, peut être nul) : a = Accordé",
  ],
  [
    "pydantic 2.14, a tuple",
    { type: "array", prefixItems: [{ type: "number" }, { type: "string" }] },
    "([number, string])",
  ],
  [
    "TypeBox 0.34, a tuple",
    { type: "array", items: [{ type: "number" }, { type: "string" }] },
    "([number, string])",
  ],
  [
    "zod-to-openapi 9.1, a list whose items are bounded",
    { type: "array", items: { type: "string", maxLength: 5, description: "Code" } },
    "(string[])\n- `champ[]` (string, au plus 5 caractères) : Code",
  ],
  [
    "TypeBox 0.34, a record",
    { type: "object", patternProperties: { "^(.*)$": { type: "integer", description: "Nombre" } } },
    "(object)\n- `champ.*` (integer) : Nombre",
  ],
])("a field of %s", async (_, champ, line) => {
  const Etat = { type: "string", enum: ["ouvert", "ferme"], description: "État du dossier" }
  const { text } = await textOf({ requestBody: json({ properties: { champ } }) }, { schemas: { Etat } })
  expect(text).toContain(`- \`champ\` ${line}`)
})

test("parameters, bodies of errors, headers, examples, callbacks and scopes are read", async () => {
  const { text } = await textOf(
    {
      security: [{ cle: [] }, { oauth: ["salles:lire"] }],
      parameters: [
        { name: "page", in: "query", deprecated: true, schema: { type: "integer", default: 1 }, example: 3 },
      ],
      requestBody: json(
        { type: "object" },
        { examples: { une: { summary: "Une heure", value: { duree: 60 } } } },
      ),
      responses: {
        "200": {
          description: "La liste",
          headers: { "X-Total": { description: "Nombre", schema: { type: "integer" } } },
        },
        "409": { description: "Prise", ...json({ properties: { code: { enum: ["prise", "fermee"] } } }) },
      },
      callbacks: {
        fini: { "{$request.body#/rappel}": { post: { summary: "Confirmation", responses: {} } } },
      },
    },
    {
      securitySchemes: {
        cle: { type: "apiKey", in: "header", name: "X-Cle" },
        oauth: {
          type: "oauth2",
          flows: {
            clientCredentials: { tokenUrl: "https://exemple.fr/jeton", scopes: { "salles:lire": "Lire" } },
          },
        },
      },
    },
  )
  for (const line of [
    "Authentification\u00a0: cle ou oauth (salles:lire)",
    "`page` (query, integer, par défaut 1, obsolète, exemple\u00a0: 3)",
    "Exemple (Une heure)\u00a0:",
    '"duree": 60',
    "`X-Total` (en-tête, integer) : Nombre",
    "`code` (prise | fermee)",
    "clientCredentials, https://exemple.fr/jeton",
    "`salles:lire` : Lire",
  ])
    expect(text).toContain(line)
  const { text: english } = await textOf({ security: [], responses: {} })
  expect(english).toContain("aucune")
})

test("references to other files are followed, and those that lead nowhere are told", async () => {
  const files = {
    "api/chemins/colis.yaml":
      "schema: {$ref: '../../commun/schemas.yaml#/Relais'}\nretour: {$ref: '../openapi.json#/info'}",
    "commun/schemas.yaml":
      "Relais: {properties: {nom: {$ref: '#/Nom'}, boucle: {$ref: '#/Relais'}}}\nNom: {type: string, maxLength: 80}",
  }
  const { text, lost } = await textOf(
    {
      requestBody: json({ $ref: "./chemins/colis.yaml#/schema" }),
      responses: {
        "200": { description: "a", ...json({ $ref: "absent.yaml#/A" }) },
        "201": { description: "b", ...json({ $ref: "#/components/schemas/Absent" }) },
        "202": { description: "c", ...json({ $ref: "https://ailleurs.exemple.fr/a.yaml" }) },
        "203": { description: "d", ...json({ $ref: "../../../etc/passwd" }) },
      },
    },
    {},
    files,
  )
  expect(text).toContain("`nom` (string, au plus 80 caractères)")
  expect(text).toContain("`boucle.nom`")
  expect(lost.sort()).toEqual([
    "reference: #/components/schemas/Absent",
    "reference: ../../../etc/passwd",
    "reference: api/absent.yaml#/A",
    "reference: https://ailleurs.exemple.fr/a.yaml",
  ])
})

test("a file's name may hold a number sign", async () => {
  const description = {
    openapi: "3.1.0",
    info,
    paths: { "/a": { post: { requestBody: json({ $ref: "lot%231.yaml#/A" }) } } },
  }
  const files = { "lot#1.yaml": "A: {properties: {ici: {$ref: '#/B'}}}\nB: {type: integer, minimum: 2}" }
  const bytes = new TextEncoder().encode(JSON.stringify(description))
  const read = await localParser.file(bytes, { ...place, name: "plan#2.json", files })
  expect(JSON.stringify(read)).toContain("`ici` (integer, au moins 2)")
})

test("the type of a schema whose many parts are itself is worked out once at each depth", () => {
  const itself: Record<string, unknown> = {}
  for (const kind of ["allOf", "oneOf", "anyOf"]) itself[kind] = Array(10).fill({})
  let asked = 0
  const resolve = () => {
    asked++
    return itself
  }
  expect(schemaType(itself, resolve)).toBe("")
  expect(asked).toBeLessThan(1000)
})

test("a tuple names its places, unless it is too long for a line", () => {
  const tuple: Record<string, unknown> = { prefixItems: [{ type: "string" }, {}] }
  expect(schemaType(tuple, (part) => part as object as typeof tuple)).toBe("[string, …]")
  expect(
    schemaType({ prefixItems: Array(10).fill({ type: "x".repeat(30) }) }, (part) => part as typeof tuple),
  ).toBe("array")
})

test("no loss is told of a schema that holds itself beside others", async () => {
  const Base = { type: "object", properties: { id: { type: "integer" } } }
  const more = { type: "object", properties: { parent: { $ref: "#/components/schemas/Salle" } } }
  const Salle = { allOf: [{ $ref: "#/components/schemas/Base" }, more] }
  const post = { requestBody: json({ type: "array", items: { $ref: "#/components/schemas/Salle" } }) }
  const schemas = { Base, Salle }
  const found = await read({ openapi: "3.1.0", info, paths: { "/a": { post } }, components: { schemas } })
  expect(JSON.stringify(found)).toContain("parent.id")
  expect(found).not.toHaveProperty("html")
})

test("what comes after a limit is told", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 250 }, (_, at) => [`champ${at}`, { type: "string" }]),
  )
  const { lost } = await textOf({ requestBody: json({ properties }), description: "mot ".repeat(6000) })
  expect(lost).toContain("limit: champ200")
  expect(lost.some((each) => each.startsWith("limit: mot"))).toBe(true)
})

test("every operation of a large interface is read, with fewer fields of each", async () => {
  const field = { type: "string", description: "Ce que la mairie en dit. ".repeat(20) }
  const properties = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`champ${at}`, field]))
  const post = { requestBody: json({ $ref: "#/components/schemas/A" }) }
  const paths = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`/objet${at}`, { post }]))
  const schemas = { A: { properties } }
  expect(await operationsIn({ openapi: "3.1.0", info, paths, components: { schemas } })).toHaveLength(200)
})
