import { rawRequest } from "../support/raw-request.ts"
import type { AttackedSite } from "./attacked-site.ts"
import { bytes, frameBytes, jsonEscaped, kb, percentEncoded, type Target, visitor } from "./target.ts"

const consoleBytes = 512 * kb

/** Forms of the console, in a session and before one. */
export function consolePages(site: AttackedSite): Target[] {
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
    ...["name", "consent.text", "redirect_url", "retention_days", "notify", "field_count", "intent"].map(
      (name) => form(`form builder, ${name}`, `${project}/forms/new`, name),
    ),
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
    // Another workspace would be shown from then on.
    form("workspace, name", "/console/settings/workspace", "name"),
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
export function api(site: AttackedSite): Target[] {
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
    form("owner's address", (to) => ({ notify: [to] })),
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
