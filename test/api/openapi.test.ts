import { afterAll, beforeAll, expect, test } from "bun:test"
import { Validator } from "@seriousme/openapi-schema-validator"
import { createToken } from "../../src/accounts/token.ts"
import { insertWorkspace } from "../../src/accounts/workspace.ts"
import type { DocumentedOperation } from "../../src/api/kit/openapi.ts"
import { operations as operationSentences } from "../../src/api/reference/operations.fr.ts"
import { fieldSentence, parameterSentence } from "../../src/api/reference/sentences.ts"
import { scopes } from "../../src/operations/scope.ts"
import { strangerOf } from "../support/api.ts"
import { answerChecker, type Described, operationsOf, valueChecker } from "../support/operations.ts"
import { signedIn } from "../support/operator.ts"
import { timesPlainWork } from "../support/processor.ts"
import { aService } from "../support/service-builder.ts"
import type { World } from "../support/world.ts"

let world: World
let operations: Described[]
let faultsOf: ReturnType<typeof answerChecker>

beforeAll(async () => {
  world = await aService().withOneOfEach().started()
  const { body } = await world.api.get("/api/v1/openapi.json")
  operations = operationsOf(body)
  faultsOf = answerChecker(body)
})
afterAll(() => world[Symbol.asyncDispose]())

/** Nested resources first: removing a parent would remove them before their turn. */
const inOrder = () =>
  operations.toSorted((one, other) => rank(one) - rank(other) || other.path.length - one.path.length)
const rank = ({ method, path }: Described) =>
  method !== "DELETE" ? 0 : 1 + ["projects", "workspaces"].indexOf(path.split("/")[3] as string) + 1

const nameOf = ({ method, path }: Described) => `${method} ${path}`

async function send(operation: Described, token: string, body?: string) {
  const response = await fetch(`${world.service.url}${world.addressOf(operation.path)}`, {
    method: operation.method,
    headers: {
      ...(operation.scope === undefined ? { origin: world.site } : { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  const mediaType = response.headers.get("content-type")
  const isJson = mediaType?.includes("json") ?? false
  return { status: response.status, mediaType, body: isJson ? JSON.parse(text) : text }
}

const tokens = new Map<string, Promise<{ text: string }>>()

/** One for each set of scopes: a workspace has only so many. */
async function tokenWith(held: readonly string[]): Promise<string> {
  const { app } = world.service
  const key = held.join(" ")
  const made = tokens.get(key) ?? createToken(app.db, world.api.workspaceId, "", app.clock.now(), held)
  tokens.set(key, made)
  return (await made).text
}

const bodyFor = (operation: Described) =>
  operation.body && JSON.stringify(world.bodies[nameOf(operation)] ?? "none is given for it")

test("openapi.json is valid OpenAPI 3.1", async () => {
  const { body } = await world.api.get("/api/v1/openapi.json")
  const validator = new Validator()
  expect(await validator.validate(body)).toEqual({ valid: true })
  expect(validator.version).toBe("3.1")
})

test("every route under /api/v1 is in it", () => {
  const told = new Set(operations.map(nameOf))
  const routes = world.service.routes.map((route) => route.replace(/:(\w+)/g, "{$1}"))
  const silent = routes.filter((route) => / \/api\/v1\//.test(route) && !told.has(route))
  expect(silent).toEqual(["GET /api/v1/openapi.json", "GET /api/v1/docs", "GET /api/v1/docs/{page}"])
  expect(told.size).toBeGreaterThan(30)
})

test("every operation tells each status it refuses with, and every answer of an error is the error object", () => {
  for (const { method, path, scope, answers } of operations) {
    const told = Object.keys(answers).filter((status) => status >= "400")
    const due = [
      ...(method === "GET" ? [] : ["400"]),
      ...(scope === undefined ? [] : ["401", "403"]),
      ...(path.includes("{") ? ["404"] : []),
      "503",
    ]
    expect([method, path, due.filter((status) => !told.includes(status))]).toEqual([method, path, []])
    expect(answers).not.toHaveProperty("default")
    // The server sends 431 before any route.
    for (const status of told.filter((each) => each !== "431"))
      expect(answers[status]?.content?.["application/json"]?.schema).toEqual({
        $ref: "#/components/schemas/Error",
      })
  }
})

const guarded = () => operations.filter(({ scope }) => scope !== undefined)

test("every operation, parameter and field is explained by a sentence", async () => {
  const { body } = await world.api.get("/api/v1/openapi.json")
  const described = Object.values(body.paths as Record<string, Record<string, DocumentedOperation>>).flatMap(
    (methods) => Object.values(methods),
  )
  const fieldsIn = (schema: unknown, name: string, path = ""): [name: string, path: string][] => {
    if (typeof schema !== "object" || schema === null) return []
    return Object.entries(schema).flatMap(([key, value]) =>
      key === "properties"
        ? Object.entries(value as object).flatMap(([field, each]) => {
            const place = path === "" ? field : `${path}.${field}`
            return [[name, place] as [string, string], ...fieldsIn(each, name, place)]
          })
        : fieldsIn(value, name, path),
    )
  }
  const fields = [
    ...described.flatMap((operation) => fieldsIn(operation, "")),
    ...Object.entries(body.components.schemas).flatMap(([name, schema]) => fieldsIn(schema, name)),
  ]
  const unexplained = [
    ...described.flatMap(({ operationId }) => (operationSentences[operationId] ? [] : [operationId])),
    ...described.flatMap(({ operationId, parameters = [] }) =>
      parameters.filter(({ name }) => !parameterSentence(name)).map(({ name }) => `${operationId} ${name}`),
    ),
    ...fields.filter(([name, path]) => !fieldSentence(name, path)).map(([name, path]) => `${name}.${path}`),
  ]
  expect([...new Set(unexplained)]).toEqual([])
  expect(fields.length).toBeGreaterThan(250)
})

test("it says where the service is, and which resource each operation is of", async () => {
  const { body } = await world.api.get("/api/v1/openapi.json")
  expect(body.servers).toEqual([{ url: world.service.app.config.publicUrl }])
  const named = new Set(body.tags.map(({ name }: { name: string }) => name))
  const used = Object.values(body.paths as Record<string, Record<string, DocumentedOperation>>)
    .flatMap((methods) => Object.values(methods))
    .map(({ tags }) => tags[0] as string)
  expect(new Set(used)).toEqual(named as Set<string>)
  const largest = Math.max(...[...named].map((name) => used.filter((tag) => tag === name).length))
  expect(largest).toBeLessThanOrEqual(10)
})

test("every body has an example that its schema allows, of requests and of replies", async () => {
  const { body } = await world.api.get("/api/v1/openapi.json")
  const valueFaults = valueChecker(body)
  for (const operation of operations) {
    const { media } = operation
    if (media) {
      expect([nameOf(operation), media.example]).not.toEqual([nameOf(operation), undefined])
      const faults = valueFaults(media.schema, media.example)
      expect([nameOf(operation), ...faults]).toEqual([nameOf(operation)])
    }
    for (const [status, { content }] of Object.entries(operation.answers)) {
      const answer = content?.["application/json"]
      if (!answer || status >= "400") continue
      const faults = valueFaults(answer.schema, answer.example)
      expect([nameOf(operation), status, ...faults]).toEqual([nameOf(operation), status])
    }
  }
})

const pageOf = async (name: string) => (await fetch(`${world.service.url}/api/v1/docs${name}`)).text()

test("the page of its resource shows each operation with its scope, an example and what it sends back", async () => {
  const { body } = await world.api.get("/api/v1/openapi.json")
  const { publicUrl } = world.service.app.config
  for (const { method, path, scope } of operations) {
    const { operationId, tags } = body.paths[path][method.toLowerCase()]
    const page = await pageOf(`/${tags[0]}`)
    const shown = page.split("<article ").find((part) => part.startsWith(`id="${operationId}"`)) ?? ""
    const beginning = `curl ${method === "GET" ? "" : `-X ${method} `}&#39;${publicUrl}/api/v1/`
    for (const text of [`class="route">${method} ${path}</code>`, scope ?? "sans jeton"])
      expect([method, path, shown]).toEqual([method, path, expect.stringContaining(text)])
    expect(shown.replaceAll("'", "&#39;")).toContain(beginning)
    expect([method, path, shown]).toEqual([method, path, expect.stringMatching(/Réponse 20\d/)])
    expect(shown).not.toMatch(/api\/v1\/[^\s<]*\{\w+\}&#39;/)
  }
})

test("its pages are below 100 kB, and the first one has every anchor of the page that was all of it", async () => {
  const { body } = await world.api.get("/api/v1/openapi.json")
  const first = await pageOf("")
  const paths = Object.values(body.paths as Record<string, Record<string, DocumentedOperation>>)
  const anchors = paths.flatMap((methods) => Object.values(methods)).map(({ operationId }) => operationId)
  const former =
    "introduction guide-question guide-formulaire guide-webhook webhooks form.response.created ask answers projects forms endpoints deliveries messages exports erasures tokens operators workspaces usage journal service checks mail-tests"
  const ids = [...first.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string)
  expect([...anchors, ...former.split(" ")].filter((anchor) => !ids.includes(anchor))).toEqual([])
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  for (const name of ["", ...body.tags.map((tag: { name: string }) => `/${tag.name}`), "/webhooks"])
    expect([name, (await pageOf(name)).length < 100_000]).toEqual([name, true])
  expect((await fetch(`${world.service.url}/api/v1/docs/nothing`)).status).toBe(404)
})

test("who is signed in finds the ids of a project of his workspace in the examples, nobody else does", async () => {
  const owner = await signedIn(world.service, "owner", world.api.workspaceId)
  const stranger = await strangerOf(world.service)
  const elsewhere = await signedIn(world.service, "owner", stranger.workspaceId)
  const { projects, forms, endpoints } = world.ids
  const own = [projects, forms, endpoints] as string[]
  const seen = async (page: string, cookie = "") => {
    const html = await (
      await fetch(`${world.service.url}/api/v1/docs${page}`, { headers: { cookie } })
    ).text()
    return own.filter((id) => html.includes(id))
  }
  expect(await seen("/forms", owner.cookie)).toEqual([projects, forms] as string[])
  expect(await seen("/endpoints", owner.cookie)).toEqual([projects, endpoints] as string[])
  for (const page of ["", "/forms", "/endpoints", `/forms?project=${projects}`]) {
    expect([page, ...(await seen(page))]).toEqual([page])
    expect([page, ...(await seen(page, elsewhere.cookie))]).toEqual([page])
  }
})

test("the message of a webhook is in it, with its headers", async () => {
  const { body } = await world.api.get("/api/v1/openapi.json")
  const { post } = body.webhooks["form.response.created"]
  expect(post.parameters.map(({ name }: { name: string }) => name)).toEqual([
    "webhook-id",
    "webhook-timestamp",
    "webhook-signature",
  ])
  const { $ref } = post.requestBody.content["application/json"].schema
  const { properties } = body.components.schemas[$ref.split("/").at(-1)]
  expect(Object.keys(properties)).toEqual(["type", "timestamp", "data"])
  expect(properties.data.$ref).toBe("#/components/schemas/FormResponseData")
  // Specification, part 2 B1.
  const data = body.components.schemas.FormResponseData
  const named = "id form_id form_public_id form_name values email consent page created_at".split(" ")
  expect(Object.keys(data.properties)).toEqual(named)
  expect(data.required).toEqual(named)
})

test("clients are generated from it: a number is told by its bounds, and a choice of words by one enum", async () => {
  const { body } = await world.api.get("/api/v1/openapi.json")
  const odd = (value: unknown, place: string): string[] => {
    if (typeof value !== "object" || value === null) return []
    const {
      const: only,
      enum: words,
      anyOf,
    } = value as { const?: unknown; enum?: unknown[]; anyOf?: object[] }
    const isOdd =
      typeof only === "number" ||
      (Array.isArray(words) && words.some((word) => typeof word !== "string")) ||
      (Array.isArray(anyOf) && anyOf.filter((each) => "const" in each).length > 1)
    return [
      ...(isOdd ? [place] : []),
      ...Object.entries(value).flatMap(([key, each]) =>
        key === "example" ? [] : odd(each, `${place}/${key}`),
      ),
    ]
  }
  expect(odd(body, "")).toEqual([])
})

test("only what visitors call is open", () => {
  const open = operations.filter(({ scope }) => scope === undefined)
  expect(open.map(nameOf)).toEqual([
    "POST /api/v1/ask",
    "POST /api/v1/answers/{id}/feedback",
    "POST /api/v1/answers/{id}/opened",
    "POST /api/v1/answers/{id}/related",
    "POST /api/v1/search",
    "GET /api/v1/projects/{id}/widget",
    "GET /api/v1/projects/{id}/contact",
    "POST /api/v1/projects/{id}/contact/answer",
    "POST /api/v1/projects/{id}/contact/solved",
  ])
})

test("without a token every operation is 401, and with every scope but those that open it 403, whatever it is sent", async () => {
  for (const operation of guarded()) {
    expect([nameOf(operation), (await send(operation, "gch_none")).status]).toEqual([nameOf(operation), 401])
    const wanted = operation.scope as string
    const opening = ["all", wanted, wanted.replace(/:read$/, ":write")]
    const others = scopes.filter((scope) => !opening.includes(scope))
    const { status, body } = await send(operation, await tokenWith(others))
    expect([nameOf(operation), status, body.error?.code]).toEqual([nameOf(operation), 403, "forbidden"])
  }
})

test("each scope that a token may have opens an operation", () => {
  const opening = new Set(["all", ...guarded().map(({ scope }) => scope as string)])
  expect(scopes.toSorted()).toEqual([...opening].sort())
})

test("the scope that is told of an operation opens it", async () => {
  for (const operation of guarded()) {
    // The wrong body keeps operations from acting. Those without a body would act, so only GET is tried.
    if (operation.method !== "GET" && !operation.body) continue
    const text = await tokenWith([operation.scope as string])
    const { status } = await send(operation, text, operation.method === "GET" ? undefined : "[]")
    expect([nameOf(operation), status]).not.toEqual([nameOf(operation), 403])
    expect([nameOf(operation), status]).not.toEqual([nameOf(operation), 401])
  }
})

test("a body of 2 MB is refused by every operation, in the shape of every error", async () => {
  const large = JSON.stringify({ text: "x".repeat(2 * 1024 * 1024) })
  for (const operation of operations.filter(({ method }) => method !== "GET")) {
    const { status, mediaType, body } = await send(operation, world.token, large)
    expect([nameOf(operation), status, body.error?.code]).toEqual([nameOf(operation), 400, "invalid_request"])
    expect([nameOf(operation), ...faultsOf(operation, status, mediaType, body)]).toEqual([nameOf(operation)])
  }
})

test("a field of another type than the document says is refused, and named", async () => {
  for (const operation of guarded()) {
    for (const name of Object.keys(operation.body?.properties ?? {})) {
      const wrong = { ...world.bodies[nameOf(operation)], [name]: { wrong: true } }
      const { status, body } = await send(operation, world.token, JSON.stringify(wrong))
      const named = Object.keys(body.error?.fields ?? {}).some((field) => field.split(".")[0] === name)
      expect([nameOf(operation), name, status, named]).toEqual([nameOf(operation), name, 400, true])
    }
  }
})

test("a required field that is absent is refused, and named", async () => {
  for (const operation of guarded()) {
    for (const name of operation.body?.required ?? []) {
      const { [name]: _, ...rest } = world.bodies[nameOf(operation)] ?? {}
      const { status, body } = await send(operation, world.token, JSON.stringify(rest))
      expect([nameOf(operation), status, Object.keys(body.error?.fields ?? {})]).toEqual([
        nameOf(operation),
        400,
        [name],
      ])
    }
  }
})

test("workspaces are walls: to another workspace's token every operation on a thing of this one is 404", async () => {
  const { app } = world.service
  const elsewhere = await insertWorkspace(app.db, "elsewhere", app.clock.now())
  const { text } = await createToken(app.db, elsewhere, "", app.clock.now())
  for (const operation of guarded()) {
    if (operation.path.includes("{")) {
      const { status, body } = await send(operation, text, bodyFor(operation))
      expect([nameOf(operation), status, body.error?.code]).toEqual([nameOf(operation), 404, "not_found"])
    } else if (operation.method === "GET") {
      const listed = JSON.stringify((await send(operation, text)).body)
      const seen = Object.values(world.ids).filter((id) => listed.includes(id))
      expect([nameOf(operation), ...seen]).toEqual([nameOf(operation)])
    }
  }
})

test("every operation answers as the document says", async () => {
  for (const operation of inOrder()) {
    const answer = await send(operation, world.token, bodyFor(operation))
    expect([nameOf(operation), answer.status < 300, answer.body?.error]).toEqual([
      nameOf(operation),
      true,
      undefined,
    ])
    const faults = faultsOf(operation, answer.status, answer.mediaType, answer.body)
    expect([nameOf(operation), ...faults]).toEqual([nameOf(operation)])
  }
})

test("neither it nor its pages are made for each who asks: anybody may, and one thread answers all", async () => {
  for (const [path, length] of [
    ["/api/v1/openapi.json", 200_000],
    ["/api/v1/docs", 40_000],
    ["/api/v1/docs/forms", 40_000],
  ] as const) {
    const read = async () => {
      const reply = await fetch(`${world.service.url}${path}`, { headers: { "accept-encoding": "identity" } })
      expect((await reply.text()).length).toBeGreaterThan(length)
    }
    // Made anew, a page took three times as long.
    expect(await timesPlainWork(read, 1), path).toBeLessThan(1)
  }
})
