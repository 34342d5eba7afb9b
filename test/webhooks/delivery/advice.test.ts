import { afterAll, beforeAll, expect, test } from "bun:test"
import { adviceFor as inEnglish } from "../../../src/wording/causes/causes.en.ts"
import { signedIn } from "../../support/operator.ts"
import { textOf } from "../../support/page-text.ts"
import { aService } from "../../support/service-builder.ts"
import type { Webhooks } from "../../support/webhooks.ts"

// How a receiver that refuses is mended, by what frameworks answered to a usual mistake: the beginnings of their
// answers, as they came.

interface Refusal {
  of: string
  status: number
  headers?: Record<string, string>
  body?: string
  /** Of the French advice, and of the English one. */
  told: [french: string, english: string]
}

const django = "<!doctype html><html lang='en'><head>"
const spring = {
  "x-xss-protection": "0",
  pragma: "no-cache",
  "cache-control": "no-cache, no-store, max-age=0, must-revalidate",
}
const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`a-${at}`, "x"]))
const csrf: Refusal["told"] = ["protection CSRF", "CSRF protection"]
const slash: Refusal["told"] = [
  "URL définitive, https://hooks0.acme.fr/hook/.",
  "https://hooks0.acme.fr/hook/",
]

const refusals: Refusal[] = [
  { of: "Flask-WTF", status: 400, body: "<h1>Bad Request</h1><p>The CSRF token is missing.</p>", told: csrf },
  { of: "Flask", status: 308, headers: { location: "http://hooks0.acme.fr/hook/" }, told: slash },
  {
    of: "Flask",
    status: 400,
    body: "<p>Host &#39;hooks0.acme.fr&#39; is not trusted.</p>",
    told: ["TRUSTED_HOSTS", "TRUSTED_HOSTS"],
  },
  {
    of: "Flask",
    status: 400,
    body: "<title>400 Bad Request</title>",
    told: ["lire le corps JSON", "read the JSON body"],
  },
  {
    of: "Flask",
    status: 405,
    headers: { allow: "GET, HEAD" },
    told: ["POST à cette URL, mais GET, HEAD", "but GET, HEAD"],
  },
  { of: "Django", status: 403, body: "<h1>Interdit</h1><p>La vérification CSRF a échoué.</p>", told: csrf },
  { of: "Django", status: 301, headers: { ...many, location: "/hook/" }, told: slash },
  {
    of: "Django with DEBUG",
    status: 500,
    body: `${django}<title>RuntimeError\n          at /hook</title>`,
    told: ["APPEND_SLASH", "APPEND_SLASH"],
  },
  {
    of: "Django",
    status: 400,
    body: `${django}<title>Bad Request (400)</title>`,
    told: ["ALLOWED_HOSTS", "ALLOWED_HOSTS"],
  },
  {
    of: "Django behind a proxy",
    status: 301,
    headers: { location: "https://hooks0.acme.fr/hook" },
    told: ["X-Forwarded-Proto", "X-Forwarded-Proto"],
  },
  {
    of: "Django",
    status: 302,
    headers: { location: "/accounts/login/?next=/hook" },
    told: ["https://hooks0.acme.fr/accounts/login/", "sign in"],
  },
  {
    of: "Django REST",
    status: 403,
    body: '{"detail":"Authentication credentials were not provided."}',
    told: ["en-tête Authorization", "Authorization header"],
  },
  { of: "Django REST", status: 415, told: ["application/json", "application/json"] },
  { of: "Express", status: 403, body: "<pre>ForbiddenError: invalid csrf token<br>", told: csrf },
  { of: "Express", status: 413, told: ["limit dans Express", "limit in Express"] },
  {
    of: "Express",
    status: 500,
    body: "<pre>Error: No matching signature found<br>",
    told: ["secret actuel", "check the secret"],
  },
  { of: "FastAPI", status: 400, body: "Invalid host header", told: ["allowed_hosts", "allowed_hosts"] },
  {
    of: "FastAPI",
    status: 422,
    body: '{"detail":[{"type":"missing","loc":["query","payload"],"msg":"Field required","input":null}]}',
    told: ["query.payload", "(query.payload)"],
  },
  { of: "Spring", status: 403, headers: spring, body: '{"status":403,"error":"Forbidden"}', told: csrf },
  { of: "Spring", status: 415, headers: spring, told: ["application/json", "application/json"] },
  {
    of: "nginx",
    status: 401,
    headers: { "www-authenticate": 'Basic realm="x"' },
    told: ["mot de passe", "password"],
  },
  { of: "nginx", status: 502, told: ["n’arrive pas à la joindre", "does not reach"] },
  { of: "PHP", status: 500, told: ["journal", "log"] },
  { of: "Laravel", status: 419, body: "<title>Page Expired</title>", told: csrf },
  { of: "any", status: 409, told: ["répondre 2xx", "answer 2xx"] },
  { of: "any", status: 402, told: ["refuse le message", "refuses the message"] },
]

let refusal: Refusal
let site: Webhooks
let endpoint: { id: string; url: string }

beforeAll(async () => {
  const answer = () =>
    new Response(refusal.body ?? "", { status: refusal.status, headers: refusal.headers ?? {} })
  site = await aService().withReceivers([answer]).started()
  endpoint = (await site.api.get(`/api/v1/endpoints/${(await site.endpoint()).id}`)).body
})
afterAll(() => site[Symbol.asyncDispose]())

test.each(refusals)(
  "$of, $status: what is wrong is recognised, and how it is mended is told in both languages",
  async (each) => {
    refusal = each
    await site.respond()
    await site.settled()
    const [delivery] = await site.deliveries(endpoint.id)
    const client = await signedIn(site.service)
    const [french, english] = refusal.told
    expect(textOf((await client.get(`/console/deliveries/${delivery.id}`)).text)).toContain(french)
    expect(inEnglish(delivery.attempts.at(-1), endpoint.url)).toContain(english)
  },
)
