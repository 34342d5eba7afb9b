import { fieldTypes } from "../../src/forms/definition/field-types.ts"
import { rawRequest } from "../support/raw-request.ts"
import type { AttackedSite } from "./attacked-site.ts"
import { api, consolePages } from "./hostile-operators.ts"
import { bytes, frameBytes, jsonEscaped, kb, percentEncoded, type Target, visitor } from "./target.ts"

/** What Bun lets in of a request's head, less the rest of it. */
const headBytes = 15_000
const formBytes = 1024 * kb

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
    whole("opened, body", json, "/api/v1/answers/ans_1/opened", 32 * kb),
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
