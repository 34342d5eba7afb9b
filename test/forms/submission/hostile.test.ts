import { afterAll, beforeAll, expect, test } from "bun:test"
import { type FormSite, recordedMessages, site } from "../../support/forms.ts"
import { aService } from "../../support/service-builder.ts"

let forms: FormSite
const urlEncoded = { origin: site, "content-type": "application/x-www-form-urlencoded" }
const json = { origin: site, "content-type": "application/json" }
const parts = { origin: site, "content-type": "multipart/form-data; boundary=b" }

beforeAll(async () => {
  forms = await aService().withOverrides({ messageQueue: recordedMessages() }).withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

const fieldNames = Array.from({ length: 10_000 }, (_, i) => `f${i}`)
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

const taken: [name: string, init: RequestInit][] = [
  [
    "10,000 fields",
    { headers: urlEncoded, body: `${fieldNames.map((name) => `${name}=x`).join("&")}&nom=A` },
  ],
  [
    "10,000 fields of JSON",
    {
      headers: json,
      body: JSON.stringify({ ...Object.fromEntries(fieldNames.map((name) => [name, 1])), nom: "A" }),
    },
  ],
  [
    "9,999 parts",
    {
      headers: parts,
      body: `${fieldNames
        .slice(2)
        .map((name) => part(name, "x"))
        .join("")}${part("nom", "A")}--b--\r\n`,
    },
  ],
  ["keys of the prototype", { headers: json, body: `{"__proto__":{"nom":"B"},"constructor":"x","nom":"A"}` }],
  [
    "keys of the prototype, encoded",
    { headers: urlEncoded, body: "__proto__=B&constructor=x&toString=y&nom=A" },
  ],
  [
    "keys of the prototype in parts",
    { headers: parts, body: `${part("__proto__", "B")}${part("nom", "A")}--b--\r\n` },
  ],
  ["a field sent twice", { headers: urlEncoded, body: "nom=B&nom=A" }],
  ["a percent sign of its own", { headers: urlEncoded, body: "nom=A&message=100%&x=%zz" }],
  ["empty pairs", { headers: urlEncoded, body: "&&=&nom=A&&=x&" }],
]

for (const [name, init] of taken) {
  test(`taken: ${name}`, async () => {
    const form = await forms.form()
    const sent = await form.send(init)
    expect([sent.status, sent.body.error]).toEqual([201, undefined])
    const [kept] = await form.responses()
    expect(Object.keys(kept.values)).toEqual(["nom", "adresse", "message"])
    expect(kept.values.nom).toBe("A")
  })
}

const refused: [name: string, init: RequestInit][] = [
  ["no body", { headers: urlEncoded }],
  ["no type", { headers: { origin: site }, body: new Blob(["nom=A"]) }],
  ["plain text", { headers: { origin: site, "content-type": "text/plain" }, body: "nom=A" }],
  ["broken JSON", { headers: json, body: `{"nom":"A"` }],
  ["a list", { headers: json, body: `["nom"]` }],
  ["null", { headers: json, body: "null" }],
  ["JSON nested without end", { headers: json, body: `{"nom":"A","message":${nested(400_000)}}` }],
  ["an object where text belongs", { headers: json, body: `{"nom":{"a":"b"}}` }],
  ["a list where text belongs", { headers: json, body: `{"nom":["A"]}` }],
  ["bad UTF-8", { headers: json, body: Buffer.from(`{"nom":"caf\xe9"}`, "latin1") }],
  ["bad UTF-8, encoded", { headers: urlEncoded, body: "nom=caf%E9" }],
  ["bad UTF-8, raw", { headers: urlEncoded, body: Buffer.from("nom=caf\xe9", "latin1") }],
  [
    "bad UTF-8 in parts",
    { headers: parts, body: Buffer.from(`${part("nom", "caf\xe9")}--b--\r\n`, "latin1") },
  ],
  ["parts without end", { headers: parts, body: part("nom", "A") }],
  ["parts without boundary", { headers: { ...parts, "content-type": "multipart/form-data" }, body: "x" }],
  ["a huge value", { headers: urlEncoded, body: `nom=${"x".repeat(2 ** 20)}` }],
]

for (const [name, init] of refused) {
  test(`refused: ${name}`, async () => {
    const form = await forms.form()
    const sent = await form.send(init)
    expect([sent.status, sent.body.error?.code]).toEqual([400, "invalid_request"])
    expect(await form.responses()).toEqual([])
    expect(await form.responses("state=unwanted")).toEqual([])
  })
}

test("a format that is no form's is told from text that is not UTF-8", async () => {
  const form = await forms.form()
  const said = async (init: RequestInit) => (await form.send(init)).body.error.message
  const plain = { origin: site, "content-type": "text/plain" }
  expect(await said({ headers: plain, body: "nom=A" })).toContain("format de formulaire")
  expect(await said({ headers: urlEncoded, body: "nom=caf%E9" })).toContain("UTF-8")
})

test("an address that cannot be decoded is an unknown form", async () => {
  for (const path of ["/f/%E0%A4%A", "/f/%00", "/f/..%2f..%2fetc", "/f/x'--", "/consent/%E0%A4%A"]) {
    const { status } = await fetch(forms.service.url + path, {
      method: "POST",
      headers: urlEncoded,
      body: "nom=A",
    })
    expect([path, status]).toEqual([path, 404])
  }
})

test("a type named with a surrounding of spaces and capitals is the same type", async () => {
  const form = await forms.form()
  const headers = { origin: site, "content-type": "Application/JSON ; charset=UTF-8" }
  expect((await form.send({ headers, body: `{"nom":"A"}` })).status).toBe(201)
})
