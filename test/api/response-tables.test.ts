import { afterAll, beforeAll, expect, test } from "bun:test"
import { createToken } from "../../src/accounts/token.ts"
import { csvCell } from "../../src/http/csv.ts"
import { type FormSite, recordedMessages } from "../support/forms.ts"
import { aService } from "../support/service-builder.ts"

let forms: FormSite

beforeAll(async () => {
  forms = await aService().withOverrides({ messageQueue: recordedMessages() }).withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

test("a French spreadsheet opens the export as it is", async () => {
  const form = await forms.form({ consent: { text: "J’accepte." } })
  await form.json({ nom: `Zoé ; "la" 1re`, message: "ligne 1\nligne 2", consent: "on" })
  const { status, headers } = await forms.api.get(`/api/v1/forms/${form.id}/responses.csv`)
  expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
  const text = await csvOf(form.id)
  expect([...text.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const lines = text.toString("utf8").slice(1).split("\r\n")
  expect(lines[0]).toBe(
    `"Identifiant";"Date";"Votre nom";"Votre adresse";"Votre message";"Accord";"Texte de l’accord";"Date de l’accord";"Date de confirmation";"Page";"Autres valeurs";"Suivi";"Attribué à";"Notes"`,
  )
  expect(lines[1]).toContain(
    `;"2026-03-10 10:00:00";"Zoé ; ""la"" 1re";"";"ligne 1\nligne 2";"confirmé";"J’accepte.";"2026-03-10 10:00:00";""`,
  )
})

test("one export at a time for each token: a second one is refused until the first is read or given up", async () => {
  const form = await forms.form({})
  const { url, app } = forms.service
  await Promise.all(Array.from({ length: 60 }, (_, i) => form.json({ nom: `n${i}` })))
  // More than the machine's buffers take while nobody reads.
  const values = JSON.stringify({ nom: "x".repeat(500_000) })
  await app.db
    .updateTable("form_response")
    .set({ field_values: values })
    .where("form_id", "=", form.id)
    .execute()
  const newToken = async () => (await createToken(app.db, forms.api.workspaceId, "CI", app.clock.now())).text
  const [own, other] = [await newToken(), await newToken()]
  const address = `${url}/api/v1/forms/${form.id}/responses.csv`
  const start = (token: string, method = "GET") => {
    const stop = new AbortController()
    const headers = { authorization: `Bearer ${token}` }
    return { stop, reply: fetch(address, { method, headers, signal: stop.signal }) }
  }
  const first = start(own)
  expect((await first.reply).status).toBe(200)
  const refused = await start(own).reply
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"])
  expect(await refused.json()).toMatchObject({ error: { code: "rate_limited" } })
  expect((await start(own, "HEAD").reply).status).toBe(200)
  expect((await (await start(other).reply).text()).length).toBeGreaterThan(60 * 500_000)
  first.stop.abort()
  let next = await start(own).reply
  for (let tries = 0; next.status === 429 && tries < 100; tries++) {
    await Bun.sleep(20)
    next = await start(own).reply
  }
  expect(next.status).toBe(200)
  await next.text()
  expect((await start(own).reply).status).toBe(200)
})

test("a number has the comma that a French spreadsheet reads; text of the same look stays as it was written", async () => {
  const fields = [
    { name: "poids", label: "Poids", type: "number" },
    { name: "version", label: "Version", type: "text" },
  ]
  const form = await forms.form({ fields })
  await form.json({ poids: "12.5", version: "12.5" })
  await form.json({ poids: "-3", version: "" })
  for (const poids of ["-.5", "1.5e3", "-1e5"]) await form.json({ poids })
  const lines = (await csvOf(form.id)).toString("utf8").split("\r\n")
  expect(lines.slice(1, 6).map((line) => line.split(";").slice(2, 4))).toEqual([
    ['"-1e5"', '""'],
    ['"1,5e3"', '""'],
    ['"-,5"', '""'],
    ['"-3"', '""'],
    ['"12,5"', '"12.5"'],
  ])
})

test("what begins like a formula is text in a spreadsheet, numbers stay numbers", () => {
  const formulas = [
    "=1+1",
    "+33 1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "＝1",
    "=cmd|' /C calc'!A0",
    "-",
    "\u00a0=1",
    "\u2060=1",
    "\u00ad=1",
    "\u202e=1",
    "\u0000\u2066\u200d=1",
    "\ufe0f\u{e0001}=1",
    ..."﹦﹢﹣﹫−⁺".split("").map((sign) => `${sign}1`),
    "\u2060﹦1",
  ]
  for (const text of formulas) expect(csvCell(text)).toBe(`"'${text}"`)
  for (const text of ["12", "-12.5", "-3,5", "a=b", "", "'=1"]) expect(csvCell(text)).toBe(`"${text}"`)
  expect(csvCell(`=HYPERLINK("x")`)).toBe(`"'=HYPERLINK(""x"")"`)
})

test("an export of any length is whole, with what fields that were removed had received", async () => {
  const form = await forms.form()
  await form.json({ nom: "premier", message: "gardé" })
  await Promise.all(Array.from({ length: 600 }, (_, i) => form.json({ nom: `n${i}` })))
  await forms.api.patch(`/api/v1/forms/${form.id}`, {
    fields: [{ name: "nom", label: "Nom", type: "text" }],
  })
  const lines = (await csvOf(form.id)).toString("utf8").trimEnd().split("\r\n")
  expect(lines).toHaveLength(602)
  expect(new Set(lines.map((line) => line.split(";")[0])).size).toBe(602)
  expect(lines.at(-1)).toContain(`"message=gardé"`)
})

async function csvOf(id: string): Promise<Buffer> {
  const { body } = await forms.api.get(`/api/v1/forms/${id}/responses.csv`)
  return Buffer.from(`\ufeff${body}`)
}
