import { fieldTypes } from "../../src/forms/definition/field.ts"
import { rawRequest } from "../support/raw-request.ts"
import type { AttackedSite } from "./attacked-site.ts"

/** A place where text from outside comes in, with the most of it that is let in there. */
export interface Target {
  name: string
  maxBytes: number
  /** How the text is written there, where it is not as it is. */
  written?(text: string): string
  /**
   * The status with which even a harmless text may be refused, once it is read; elsewhere it would mean that
   * it was not.
   */
  refusal?: 403 | 429
  /** `number` tells the requests of a trial apart. */
  request(text: string, number: number): Uint8Array
}

const kb = 1024
/** What Bun lets in of a request's head, less the rest of it. */
const headBytes = 15_000
const formBytes = 1024 * kb
const consoleBytes = 512 * kb
/** Separators, names and what else stands around a text. */
const frameBytes = 600

/**
 * Every route and parser that takes text, each at its largest; those with a limit of their own also just
 * within it.
 */
export function targets(site: AttackedSite): Target[] {
  return [...visitors(site), ...heads(site), ...consolePages(site), ...api(site)]
}

function visitors(site: AttackedSite): Target[] {
  const json = { origin: site.origin, "content-type": "application/json" }
  const urlEncoded = { origin: site.origin, "content-type": "application/x-www-form-urlencoded" }
  const parts = { origin: site.origin, "content-type": "multipart/form-data; boundary=b" }
  const path = `/f/${site.formId}`
  const ask = (name: string, maxBytes: number, body: (text: string) => object): Target => ({
    name: `ask, ${name}`,
    maxBytes,
    written: jsonEscaped,
    request: (text) =>
      rawRequest(
        "POST",
        "/api/v1/ask",
        json,
        bytes(JSON.stringify({ project: site.projectId, ...body(text) })),
      ),
  })
  const posted = (
    name: string,
    maxBytes: number,
    field: string,
    headers: Record<string, string> = {},
  ): Target => ({
    name: `form, ${name}`,
    maxBytes,
    written: percentEncoded,
    request: (text) =>
      rawRequest("POST", path, { ...urlEncoded, ...headers }, bytes(`${field}=${percentEncoded(text)}`)),
  })
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`
  const whole = (
    name: string,
    headers: Record<string, string>,
    route = path,
    maxBytes = formBytes,
  ): Target => ({
    name,
    maxBytes,
    request: (text) => rawRequest("POST", route, headers, bytes(text)),
  })
  return [
    ask("question of 1,000 characters", 1000, (text) => ({ question: `Piscine ? ${text.slice(0, 990)}` })),
    ask("question", 32 * kb - frameBytes, (question) => ({ question })),
    ask("page of 512 characters", 512, (text) => ({
      question: site.question,
      page: `/${text.slice(0, 511)}`,
    })),
    ask("page", 32 * kb - frameBytes, (text) => ({ question: site.question, page: `/${text}` })),
    ask("previous", 32 * kb - frameBytes, (text) => ({ question: site.question, previous: [text] })),
    whole("ask, body", json, "/api/v1/ask", 32 * kb),
    whole("feedback, body", json, "/api/v1/answers/ans_1/feedback", 32 * kb),
    ...fieldTypes.flatMap((type) => [
      posted(`${type}, urlencoded`, formBytes - frameBytes, `a_${type}`),
      {
        name: `form, ${type}, multipart`,
        maxBytes: formBytes - frameBytes,
        request: (text: string) => rawRequest("POST", path, parts, bytes(part(`a_${type}`, text))),
      },
      {
        name: `form, ${type}, JSON`,
        maxBytes: formBytes - frameBytes,
        written: jsonEscaped,
        request: (text: string) =>
          rawRequest("POST", path, json, bytes(JSON.stringify({ [`a_${type}`]: text }))),
      },
    ]),
    posted("text that is kept", 200 * kb, "a_text"),
    posted("address of 254 characters", 254, "a_email"),
    posted("url of 2,048 characters", 2048, "a_url"),
    posted("page", formBytes - frameBytes, "page"),
    posted("page of 2,048 characters", 2048, "page"),
    posted("consent", formBytes - frameBytes, "consent"),
    posted("guichet_started", formBytes - frameBytes, "guichet_started"),
    posted("guichet_key", formBytes - frameBytes, "guichet_key"),
    posted("a page for a browser", formBytes - frameBytes, "a_email", { accept: "text/html" }),
    ...(["url", "email"] as const).map((type) => ({
      name: `form, a hundred fields of type ${type}`,
      maxBytes: type === "url" ? 2048 : 254,
      written: percentEncoded,
      request: (text: string) => {
        const pairs = Array.from({ length: 100 }, (_, number) => `a${number}=${percentEncoded(text)}`)
        return rawRequest("POST", `/f/${site.wideFormIds[type]}`, urlEncoded, bytes(pairs.join("&")))
      },
    })),
    whole("form, urlencoded body", urlEncoded),
    whole("form, multipart body", parts),
    whole("form, JSON body", json),
    {
      name: "form, name of a part",
      maxBytes: formBytes - frameBytes,
      request: (text) => rawRequest("POST", path, parts, bytes(part(text, "x"))),
    },
  ]
}

/** What stands in the head of a request: addresses and headers. */
function heads(site: AttackedSite): Target[] {
  const header = (name: string, path: string, headers: (text: string) => Record<string, string>): Target => ({
    name,
    maxBytes: headBytes,
    request: (text) => rawRequest("GET", path, headers(text)),
  })
  const post = (name: string, headers: (text: string) => Record<string, string>): Target => ({
    name: `form, ${name}`,
    maxBytes: headBytes,
    request: (text) =>
      rawRequest("POST", `/f/${site.formId}`, { origin: site.origin, ...headers(text) }, bytes("a_text=x")),
  })
  const urlEncoded = { "content-type": "application/x-www-form-urlencoded" }
  const token = { authorization: `Bearer ${site.token}` }
  const address = (
    name: string,
    path: (text: string) => string,
    headers: Record<string, string> = {},
  ): Target => ({
    name,
    maxBytes: headBytes,
    written: encodeURIComponent,
    request: (text, number) =>
      rawRequest("GET", path(encodeURIComponent(text)), { ...visitor(number), ...headers }),
  })
  return [
    post("Referer", (referer) => ({ ...urlEncoded, referer })),
    { ...post("Origin", (origin) => ({ ...urlEncoded, origin })), refusal: 403 },
    post("Content-Type", (text) => ({ "content-type": text })),
    post("boundary", (text) => ({ "content-type": `multipart/form-data; boundary=${text}` })),
    post("Accept", (accept) => ({ ...urlEncoded, accept })),
    post("X-Forwarded-For", (text) => ({ ...urlEncoded, "x-forwarded-for": text })),
    header("Host", "/healthz", (host) => ({ host })),
    header("Cookie", "/console", (cookie) => ({ cookie })),
    header("Authorization", "/api/v1/projects", (authorization) => ({ authorization })),
    header("If-None-Match", "/widget.js", (text) => ({ "if-none-match": text })),
    header("Range", "/widget.js", (range) => ({ range })),
    header("Accept-Encoding", "/widget.js", (text) => ({ "accept-encoding": text })),
    header("Accept-Language", "/console/sign-in", (text) => ({ "accept-language": text })),
    address("path", (text) => `/${text}`),
    address("path of the console", (text) => `/console/${text}`),
    address("consent token", (text) => `/consent/${text}`),
    address("setup link", (text) => `/console/setup/${text}`),
    address("sign-in, next", (text) => `/console/sign-in?next=${text}`),
    address("form, identifier", (text) => `/f/${text}`),
    address("script, name", (text) => `/widget/${text}`),
    ...["search", "cursor", "since", "state", "limit"].map((name) =>
      address(
        `API, responses, ${name}`,
        (text) => `/api/v1/forms/${site.storedFormId}/responses?${name}=${text}`,
        token,
      ),
    ),
    address(
      "API, documents, search",
      (text) => `/api/v1/projects/${site.projectId}/documents?search=${text}`,
      token,
    ),
    address(
      "API, HTML of a form, page",
      (text) => `/api/v1/forms/${site.storedFormId}/html?page=${text}`,
      token,
    ),
    ...["search", "since", "cursor", "done"].map((name) =>
      address(
        `console, responses, ${name}`,
        (text) => `/console/projects/${site.projectId}/forms/${site.storedFormId}?${name}=${text}`,
        { cookie: site.cookie },
      ),
    ),
    address(
      "console, pages, search",
      (text) => `/console/projects/${site.projectId}/indexing?search=${text}`,
      {
        cookie: site.cookie,
      },
    ),
    address(
      "console, questions",
      (text) => `/console/projects/${site.projectId}/questions?after=${text}&days=${text.length}`,
      {
        cookie: site.cookie,
      },
    ),
  ]
}

/** Forms of the console, in a session and before one. */
function consolePages(site: AttackedSite): Target[] {
  const form = (name: string, path: string, field: string, more = "", cookie = site.cookie): Target => ({
    name: `console, ${name}`,
    maxBytes: consoleBytes - frameBytes,
    written: percentEncoded,
    request: (text, number) =>
      rawRequest(
        "POST",
        path,
        {
          origin: "http://localhost",
          cookie,
          "content-type": "application/x-www-form-urlencoded",
          ...visitor(number),
        },
        bytes(`guichet_token=${site.csrfToken}&${more}&${field}=${percentEncoded(text)}`),
      ),
  })
  const project = `/console/projects/${site.projectId}`
  const fields = "field_count=1&fields.0.type=select&name=Contact"
  return [
    // All that are too long for an address, or blank, wait together.
    { ...form("sign-in, address", "/console/sign-in", "email", "password=x"), refusal: 429 },
    {
      ...form("sign-in, address of 254 characters", "/console/sign-in", "email", "password=x"),
      maxBytes: 254,
      refusal: 429,
    },
    // A try for every number, since an account has to wait as well.
    ...[consoleBytes - frameBytes, 500].map((maxBytes) => ({
      name: `console, sign-in, password of ${maxBytes} bytes`,
      maxBytes,
      written: percentEncoded,
      request: (text: string, number: number) =>
        form("", "/console/sign-in", "password", `email=a${number}@exemple.fr`).request(text, number),
    })),
    form("sign-in, next", "/console/sign-in", "next", site.credentials),
    form(
      "sign-in, pending",
      "/console/sign-in",
      "pending",
      `${site.credentials}&pending_path=/console/projects`,
    ),
    form("without a session", "/console/projects", "name", "", "a=b"),
    form("session", "/console/sign-out", "x", "", "guichet=x"),
    form("projects, name", "/console/projects", "name", "site=https://www.exemple.fr"),
    form("projects, site", "/console/projects", "site", "name=Site"),
    form("project, origins", project, "origins", "name=Site&site=https://www.exemple.fr"),
    form("project, limit", project, "per_minute", "name=Site&site=https://www.exemple.fr"),
    form("project, trial", `${project}/trials`, "question"),
    form("feeds, address", `${project}/indexing/feeds`, "address", "kind=sitemap"),
    form("schedule", `${project}/indexing/schedule`, "every_hours"),
    ...["label", "name", "options", "type"].map((name) =>
      form(`form builder, ${name}`, `${project}/forms/new`, `fields.0.${name}`, fields),
    ),
    ...[
      "name",
      "consent.text",
      "redirect_url",
      "retention_days",
      "owner_mail.to",
      "field_count",
      "intent",
    ].map((name) => form(`form builder, ${name}`, `${project}/forms/new`, name)),
    form("form builder, add", `${project}/forms/new`, "fields.0.label", "intent=add&field_count=100"),
    form("persons", "/console/persons", "email"),
    form("endpoints, url", "/console/webhooks", "url"),
    form("endpoints, key", "/console/webhooks", "guichet_once", "url=x"),
    form("operators, address", "/console/settings/operators", "email", "role=viewer"),
    form("tokens, name", "/console/settings/tokens", "name"),
    {
      ...form("password", "/console/settings/password", "password", "present_password=x"),
      refusal: 429,
    },
    form("workspace, name", "/console/settings/workspaces", "name"),
    form("mail", "/console/settings/mail", "to"),
    {
      name: "console, body",
      maxBytes: consoleBytes,
      refusal: 403,
      request: (text) =>
        rawRequest(
          "POST",
          "/console/projects",
          {
            origin: "http://localhost",
            cookie: site.cookie,
            "content-type": "application/x-www-form-urlencoded",
          },
          bytes(text),
        ),
    },
  ]
}

/** Bodies of the management API. */
function api(site: AttackedSite): Target[] {
  const headers = { authorization: `Bearer ${site.token}`, "content-type": "application/json" }
  const body = (
    name: string,
    method: string,
    path: string,
    maxBytes: number,
    described: (text: string) => object,
  ): Target => ({
    name: `API, ${name}`,
    maxBytes: maxBytes - frameBytes,
    written: jsonEscaped,
    request: (text) => rawRequest(method, `/api/v1${path}`, headers, bytes(JSON.stringify(described(text)))),
  })
  const field = { name: "a", label: "A", type: "text" }
  const form = (name: string, described: (text: string) => object) =>
    body(`forms, ${name}`, "POST", "/forms", 512 * kb, (text) => ({
      project: site.projectId,
      name: "Contact",
      fields: [field],
      ...described(text),
    }))
  const project = (name: string, described: (text: string) => object) =>
    body(`projects, ${name}`, "PATCH", `/projects/${site.projectId}`, 64 * kb, described)
  return [
    project("name", (name) => ({ name })),
    project("site", (site) => ({ site })),
    project("origins", (origin) => ({ origins: [origin] })),
    project("many origins", (text) => ({ origins: [...text.slice(0, 8000)] })),
    project("language", (language) => ({ language })),
    form("name", (name) => ({ name })),
    form("project", (project) => ({ project })),
    form("field name", (name) => ({ fields: [{ ...field, name }] })),
    form("field label", (label) => ({ fields: [{ ...field, label }] })),
    form("option", (value) => ({
      fields: [{ ...field, type: "select", options: [{ value, label: value.slice(0, 9) }] }],
    })),
    form("consent", (text) => ({ consent: { text } })),
    form("redirect_url", (text) => ({ redirect_url: text })),
    form("owner's address", (to) => ({ owner_mail: { to } })),
    body("endpoints, url", "POST", "/endpoints", 64 * kb, (url) => ({ url })),
    body("endpoints, description", "POST", "/endpoints", 64 * kb, (description) => ({
      url: "x",
      description,
    })),
    body("endpoints, projects", "POST", "/endpoints", 64 * kb, (text) => ({ url: "x", projects: [text] })),
    body("operators, address", "POST", "/operators", 4 * kb, (email) => ({ email, role: "viewer" })),
    body("tokens, name", "POST", "/tokens", 4 * kb, (name) => ({ name })),
    body("tokens, scopes", "POST", "/tokens", 4 * kb, (text) => ({ scopes: [text] })),
    body("workspaces, name", "POST", "/workspaces", 4 * kb, (name) => ({ name })),
    body("feeds, address", "POST", `/projects/${site.projectId}/feeds`, 8 * kb, (address) => ({
      kind: "sitemap",
      address,
    })),
    body("trial", "POST", `/projects/${site.projectId}/trials`, 32 * kb, (question) => ({ question })),
    body("exports", "POST", "/exports", 4 * kb, (email) => ({ email })),
    body("erasures", "POST", "/erasures", 4 * kb, (email) => ({ email })),
    body("mail tests", "POST", "/mail-tests", 4 * kb, (to) => ({ to })),
    ...(
      [
        ["/forms", 512 * kb],
        ["/projects", 64 * kb],
        ["/endpoints", 64 * kb],
        ["/tokens", 4 * kb],
      ] as const
    ).map(([path, maxBytes]) => ({
      name: `API, body of ${path}`,
      maxBytes,
      request: (text: string) => rawRequest("POST", `/api/v1${path}`, headers, bytes(text)),
    })),
  ]
}

/** Each from an address of its own, so that none has to wait for what others did. */
function visitor(number: number): Record<string, string> {
  return { "x-forwarded-for": `198.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` }
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text)
}

/** As few characters as an urlencoded body needs, so that most of it arrives. */
function percentEncoded(text: string): string {
  return text.replace(/[%&+=]/g, (character) => encodeURIComponent(character))
}

/** Inside its quotation marks. */
function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
