import { rawRequest } from "../../support/raw-request.ts"
import { bytes, frameBytes, jsonEscaped, kb, percentEncoded, type Target, visitor } from "../target.ts"
import { formPlaces } from "./form-places.ts"
import type { Pair } from "./pairs.ts"
import type { PublicSite } from "./public-site.ts"

/** A public route, at an address where it finds something, and what it reads of a request. */
export interface Place {
  route: string
  path: string
  targets?: Target[]
  pairs?: Pair[]
  /** The status of every reply, where what the route needs is away. */
  refusal?: Target["refusal"]
}

/** Query parameters that some route reads. */
const queryNames = ["project", "from", "started", "proves", "next", "done", "confirm", "code", "state"]
/** What Bun lets in of a request's head, less the rest of it. */
const headBytes = 14_000
const consoleBytes = 512 * kb

/** Every public route; `bun test/faults/costs/costs.ts` fails for one that is not here. */
export function places(site: PublicSite): Place[] {
  const { origin, projectId, forms } = site
  const project = `/api/v1/projects/${projectId}`
  const answer = "/api/v1/answers/:id"
  const preview = "/console/projects/:project/appearance/preview/:typed/api/v1"
  const at = (route: string, path: string, ...targets: Target[]): Place => ({ route, path, targets })
  const read = (...paths: string[]) => paths.map((path) => at(`GET ${path}`, path))

  /** `text` as a value of a JSON body, or as the whole of it. */
  const json = (
    path: string,
    maxBytes: number,
    values: Record<string, (text: string) => object>,
  ): Target[] => {
    const headers = { origin, "content-type": "application/json" }
    const send = (number: number, body: string) =>
      rawRequest("POST", path, { ...headers, ...visitor(number) }, bytes(body))
    return [
      ...Object.entries(values).map(([name, value]) => ({
        name,
        maxBytes: maxBytes - frameBytes,
        written: jsonEscaped,
        request: (text: string, number: number) => send(number, JSON.stringify(value(text))),
      })),
      { name: "body", maxBytes, request: (text, number) => send(number, text) },
    ]
  }
  /** `text` as each field of an urlencoded form of the console, and as the whole of it. */
  const form = (path: string, ...names: string[]): Target[] => {
    const headers = { origin: "http://localhost", "content-type": "application/x-www-form-urlencoded" }
    const send = (number: number, body: string) =>
      rawRequest("POST", path, { ...headers, ...visitor(number) }, bytes(body))
    return [
      ...names.map((name) => ({
        name,
        maxBytes: consoleBytes - frameBytes,
        written: percentEncoded,
        request: (text: string, number: number) =>
          send(number, `email=a${number}@exemple.fr&password=x&${name}=${percentEncoded(text)}`),
      })),
      // Without an address to sign in with, all wait together.
      { name: "body", maxBytes: consoleBytes, request: (text, number) => send(number, text), refusal: 429 },
    ]
  }
  /** `text` as a part of a call by the Model Context Protocol. */
  const call = (
    name: string,
    maxBytes: number,
    method: string,
    params: (text: string) => object,
  ): Target => ({
    name,
    maxBytes,
    written: jsonEscaped,
    request: (text, number) =>
      rawRequest(
        "POST",
        `/mcp/${projectId}`,
        {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-06-18",
          ...visitor(number),
        },
        bytes(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: params(text) })),
      ),
  })
  const rest = 64 * kb - frameBytes
  const tool = (name: string) => (given: object) => ({ name, arguments: given })

  return [
    at("OPTIONS /", "/"),
    at("OPTIONS /*", "/f/x"),
    at("GET /", "/"),
    ...read("/healthz", "/readyz", "/scripts.json", "/api/v1/openapi.json", "/api/v1/docs"),
    at("GET /api/v1/docs/:page", "/api/v1/docs/ask"),
    at(
      "POST /api/v1/ask",
      "/api/v1/ask",
      ...json("/api/v1/ask", 32 * kb, {
        question: (question) => ({ project: projectId, question }),
        page: (text) => ({ project: projectId, question: site.question, page: `/${text}` }),
        previous: (text) => ({ project: projectId, question: site.question, previous: [text] }),
      }),
      ...json("/api/v1/ask", 3000, {
        "question of 1,000 characters": (text) => ({
          project: projectId,
          question: `Piscine ? ${text.slice(0, 900)}`,
        }),
        "page of 512 characters": (text) => ({
          project: projectId,
          question: site.question,
          page: `/${text.slice(0, 500)}`,
        }),
      }),
    ),
    ...(["feedback", "opened", "related"] as const).map((act) =>
      at(
        `POST ${answer}/${act}`,
        `/api/v1/answers/${site.answerId}/${act}`,
        ...json(`/api/v1/answers/${site.answerId}/${act}`, 32 * kb, {
          reason: (reason) => ({ useful: false, reason }),
          n: (n) => ({ n }),
        }),
      ),
    ),
    at(
      "POST /api/v1/search",
      "/api/v1/search",
      ...json("/api/v1/search", 4 * kb, {
        "q of 200 characters": (text) => ({ project: projectId, q: text.slice(0, 190) }),
        "words of 200 characters": (text) => ({ project: projectId, q: `signature ${text.slice(0, 180)}` }),
        page: (text) => ({ project: projectId, q: "signature", page: `/${text.slice(0, 500)}` }),
      }),
    ),
    at(
      "POST /mcp/:project",
      `/mcp/${projectId}`,
      call("question", 1000, "tools/call", (question) => tool("ask")({ question: question.slice(0, 1000) })),
      call("previous", rest, "tools/call", (text) =>
        tool("ask")({ question: site.question, previous: [text] }),
      ),
      call("q", 200, "tools/call", (text) => tool("search")({ q: text.slice(0, 200) })),
      call("edition", rest, "tools/call", (edition) => tool("search")({ q: "signature", edition })),
      call("name of a tool", rest, "tools/call", (name) => ({ name })),
      call("resource", rest, "resources/read", (uri) => ({ uri })),
      call("cursor", rest, "resources/list", (cursor) => ({ cursor })),
      call("client", rest, "initialize", (name) => ({
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name, version: "1" },
      })),
      ...json(`/mcp/${projectId}`, 64 * kb, {}),
    ),
    ...["GET", "DELETE"].map((method) => at(`${method} /mcp/:project`, `/mcp/${projectId}`)),
    ...["llms.txt", "llms-full.txt"].map((name) =>
      at(`GET /llms/:project/${name}`, `/llms/${projectId}/${name}`),
    ),
    at("GET /api/v1/projects/:id/widget", `${project}/widget`),
    at("GET /api/v1/projects/:id/contact", `${project}/contact`),
    at(
      "POST /api/v1/projects/:id/contact/answer",
      `${project}/contact/answer`,
      ...json(`${project}/contact/answer`, 32 * kb, { text: (text) => ({ text }) }),
    ),
    at(
      "POST /api/v1/projects/:id/contact/solved",
      `${project}/contact/solved`,
      ...json(`${project}/contact/solved`, 32 * kb, {}),
    ),
    ...formPlaces(site),
    at("GET /f/:publicId", `/f/${forms.steps}`),
    at("GET /f/:publicId/thanks", `/f/${forms.steps}/thanks`),
    at("GET /f/:publicId/start", `/f/${forms.contact}/start`),
    at(
      "POST /f/:publicId/answer",
      `/f/${forms.contact}/answer`,
      ...json(`/f/${forms.contact}/answer`, 32 * kb, { text: (text) => ({ text }) }),
    ),
    at(
      "POST /f/:publicId/solved",
      `/f/${forms.contact}/solved`,
      ...json(`/f/${forms.contact}/solved`, 32 * kb, {}),
    ),
    at("GET /files/:link/:name", "/files/x/x.pdf"),
    at("GET /uploads/:id/:name", site.uploadPath),
    ...["consent", "notice"].flatMap((kind) => [
      at(`GET /${kind}/:token`, `/${kind}/x`),
      at(`POST /${kind}/:token`, `/${kind}/x`, ...form(`/${kind}/x`)),
    ]),
    at("GET /q/:project", `/q/${projectId}`),
    ...["widget", "form", "contact", "related", "search", "offer", "conditions", "proof"].flatMap(
      (script) => [
        at(`GET /${script}.js`, `/${script}.js`),
        at(`GET /${script}/:file`, `/${script}/0123456789abcdef.js`),
      ],
    ),
    at("GET /form.css", `/form.css?project=${projectId}`),
    ...site.routes
      .filter((route) => /^GET \/console\/assets\//.test(route))
      .map((route) => at(route, route.slice(4))),
    ...["ask", "search"].map((act) =>
      at(
        `POST ${preview}/${act}`,
        `/console/projects/${projectId}/appearance/preview/_/api/v1/${act}`,
        ...json(`/console/projects/${projectId}/appearance/preview/_/api/v1/${act}`, 32 * kb, {}),
      ),
    ),
    at("GET /console/sign-in", "/console/sign-in"),
    at(
      "POST /console/sign-in",
      "/console/sign-in",
      ...form("/console/sign-in", "email", "password", "next"),
      ...form("/console/sign-in", "pending_path=/console/projects&pending", "pending_workspace"),
    ),
    at(
      "POST /console/sign-in/second-step",
      "/console/sign-in/second-step",
      ...form("/console/sign-in/second-step", "step", "code"),
    ),
    at(
      "POST /console/sign-in/passkey",
      "/console/sign-in/passkey",
      ...form("/console/sign-in/passkey", "step", "credential"),
    ),
    // The provider is not there.
    { ...at("GET /console/sign-in/oidc", "/console/sign-in/oidc"), refusal: 503 as const },
    ...read("/console/sign-in/oidc/callback", "/console/sign-in/oidc/signed-out"),
    ...[
      ["setup", "/console/setup/x"],
      ["invitations", site.invitation],
      ["password-reset", site.passwordLink],
    ].flatMap(([name, path = ""]) => [
      at(`GET /console/${name}/:link`, path),
      at(`POST /console/${name}/:link`, path, ...form(path, "password")),
    ]),
    at("GET /console/password-reset", "/console/password-reset"),
    at(
      "POST /console/password-reset",
      "/console/password-reset",
      ...form("/console/password-reset", "email"),
    ),
  ].map((place) => ({ ...place, targets: [...(place.targets ?? []), ...heads(place, origin)] }))
}

/** Bodies that are read before it is seen that nobody is signed in: one of each guard. */
export function closedPlaces(): Place[] {
  const body = (path: string, headers: Record<string, string>, maxBytes: number): Target => ({
    name: "body without a session or token",
    maxBytes,
    refusal: 403,
    request: (text, number) => rawRequest("POST", path, { ...headers, ...visitor(number) }, bytes(text)),
  })
  const own = { origin: "http://localhost" }
  return [
    {
      route: "POST /console/projects",
      path: "/console/projects",
      targets: [
        body(
          "/console/projects",
          { ...own, "content-type": "application/x-www-form-urlencoded" },
          consoleBytes,
        ),
      ],
    },
    {
      route: "POST /api/v1/forms",
      path: "/api/v1/forms",
      targets: [body("/api/v1/forms", { "content-type": "application/json" }, consoleBytes)],
    },
  ]
}

/** The parameters of its address and the headers, each at the largest that one request may hold. */
function heads({ route, path }: Place, origin: string): Target[] {
  const [method = "", pattern = ""] = route.split(" ")
  const target = (
    name: string,
    target: (text: string) => string,
    headers: (text: string) => object = () => ({}),
  ) => ({
    name,
    maxBytes: headBytes,
    written: encodeURIComponent,
    request: (text: string, number: number) =>
      rawRequest(method, target(encodeURIComponent(text)), {
        origin,
        ...visitor(number),
        ...headers(text),
      } as Record<string, string>),
  })
  const parts = pattern.split("/")
  const share = (text: string, count: number) => text.slice(0, text.length / count)
  const names = [
    "accept",
    "accept-language",
    "accept-encoding",
    "cookie",
    "if-none-match",
    "range",
    "referer",
    "user-agent",
  ]
  return [
    ...parts.flatMap((part, at) =>
      part.startsWith(":")
        ? [target(`address, ${part.slice(1)}`, (text) => path.split("/").with(at, text).join("/"))]
        : [],
    ),
    target("query", (text) => `${path}${path.includes("?") ? "&" : "?"}${text}`),
    target("parameters", (text) => {
      const values = queryNames.map((name) => `${name}=${share(text, queryNames.length)}`.replace(/%.?$/, ""))
      return `${path.split("?")[0]}?${values.join("&")}`
    }),
    target(
      "headers",
      () => path,
      (text) => Object.fromEntries(names.map((name) => [name, share(text, names.length * 2)])),
    ),
    {
      ...target(
        "origin",
        () => path,
        (text) => ({ origin: text.slice(0, headBytes / 3) }),
      ),
      refusal: 403,
    },
    // All of them are one visitor, whose limits are soon reached.
    {
      ...target(
        "X-Forwarded-For",
        () => path,
        (text) => ({ "x-forwarded-for": text.slice(0, headBytes / 3) }),
      ),
      refusal: 429,
    },
  ]
}
