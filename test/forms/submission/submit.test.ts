import { afterAll, beforeAll, expect, test } from "bun:test"
import { type FormSite, publicUrl, recordedMessages, site } from "../../support/forms.ts"
import { aService } from "../../support/service-builder.ts"

let forms: FormSite
const messages = recordedMessages()

beforeAll(async () => {
  forms = await aService().withOverrides({ messageQueue: messages }).withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

test("a body that does not say how it is to be read is told so, and one in another format which that is", async () => {
  const form = await forms.form()
  const body = new TextEncoder().encode("nom=Camille")
  const sent = await form.send({ headers: { origin: site }, body })
  expect([sent.status, sent.body.error.message]).toEqual([
    400,
    expect.stringContaining("pas d’en-tête Content-Type"),
  ])
  const other = await form.send({
    headers: { origin: site, "content-type": "text/plain; charset=utf-8" },
    body,
  })
  expect([other.status, other.body.error.message]).toEqual([
    400,
    expect.stringContaining("«\u00a0text/plain\u00a0»"),
  ])
})

test("a response is listed as the data object that was enqueued", async () => {
  const form = await forms.form()
  const sent = await form.json({
    nom: "Camille",
    adresse: "camille@exemple.fr",
    message: "Bonjour",
    inconnu: "ignoré",
    page: `${site}/contact?jeton=1#bas`,
  })
  expect(sent.status).toBe(201)
  expect(sent.body).toEqual({ id: expect.stringMatching(/^resp_[0-9a-f]{32}$/) })
  const [{ progress, assignee, files, ...item } = {}] = (await form.responses()) as Record<string, unknown>[]
  expect([progress, assignee, files]).toEqual(["todo", null, []])
  expect(item).toEqual({
    id: sent.body.id,
    form_id: form.id,
    form_public_id: form.publicId,
    form_name: "Contact",
    values: { nom: "Camille", adresse: "camille@exemple.fr", message: "Bonjour" },
    email: "camille@exemple.fr",
    consent: null,
    page: `${site}/contact`,
    created_at: "2026-03-10T09:00:00.000Z",
  })
  expect(messages.sent.at(-1)).toMatchObject({
    projectId: forms.projectId,
    workspaceId: forms.api.workspaceId,
    formId: form.id,
    responseId: sent.body.id,
    data: item,
  })
})

test("a browser goes on to the thank-you page, or where the form says", async () => {
  const form = await forms.form()
  const sent = await form.browser({ nom: "Camille" })
  expect(sent.status).toBe(303)
  expect(sent.headers.get("location")).toBe(`${form.publicId}/thanks`)
  const thanks = await fetch(new URL(`/f/${form.publicId}/thanks`, forms.service.url))
  expect(await thanks.text()).toContain("Votre message a bien été envoyé.")
  const redirecting = await forms.form({ redirect_url: "https://www.exemple.fr/merci" })
  const redirected = await redirecting.browser({ nom: "Camille" })
  expect(redirected.headers.get("location")).toBe("https://www.exemple.fr/merci")
})

test("whoever calls up the address a form is sent to is told where to fill it in", async () => {
  const form = await forms.form()
  const shown = await fetch(new URL(`/f/${form.publicId}?nom=Camille`, forms.service.url))
  const text = await shown.text()
  expect([shown.status, shown.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
  expect(text).toContain("rien n’a été envoyé depuis cette page")
  expect(text).toContain(`href="${site}`)
  expect(await form.responses()).toEqual([])
  const unknown = await fetch(new URL("/f/inconnu", forms.service.url))
  expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining("n’existe pas")])
})

test("a form in parts is read, a file in it is refused", async () => {
  const form = await forms.form()
  const body = new FormData()
  body.set("nom", "Camille")
  body.set("piece", new File([], ""))
  expect((await form.send({ headers: { origin: site }, body })).status).toBe(201)
  body.set("piece", new File(["x"], "cv.pdf"))
  const refused = await form.send({ headers: { origin: site }, body })
  expect(refused.status).toBe(400)
  expect(refused.body.error.message).toContain("n’accepte pas de fichier")
  expect(await form.responses()).toHaveLength(1)
})

test("only pages of a declared address may post", async () => {
  const form = await forms.form()
  for (const origin of ["https://ailleurs.fr", "null", `${site}.evil.fr`, `${site}/`, ""]) {
    const refused = await form.json({ nom: "Camille" }, { origin })
    expect([origin, refused.status, refused.body.error.code]).toEqual([origin, 403, "origin_not_allowed"])
  }
  const without = await form.send({ body: new URLSearchParams({ nom: "Camille" }) })
  expect(without.status).toBe(403)
  expect(await form.responses()).toEqual([])
})

test("a page's script may read the answer, the refusal too", async () => {
  const form = await forms.form()
  const url = `${forms.service.url}/f/${form.publicId}`
  const headers = {
    origin: site,
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type",
  }
  const preflight = await fetch(url, { method: "OPTIONS", headers })
  expect(preflight.ok).toBe(true)
  for (const answer of [preflight, await form.json({ nom: "A" }), await form.json({})])
    expect(["*", site]).toContain(answer.headers.get("access-control-allow-origin") as string)
})

test("the page is the one named, else the referer, else the origin, always under a declared address", async () => {
  const form = await forms.form()
  const cases: [page: string | undefined, referer: string | undefined, stored: string][] = [
    [`${site}/a?b=c#d`, `${site}/other`, `${site}/a`],
    ["https://ailleurs.fr/a", `${site}/other?x`, `${site}/other`],
    [undefined, `${site}/other`, `${site}/other`],
    ["javascript:alert(1)", "https://ailleurs.fr/", `${site}/`],
    [`https://u:p@www.exemple.fr/a`, undefined, `${site}/`],
    [undefined, undefined, `${site}/`],
  ]
  for (const [page, referer, stored] of cases) {
    await form.json({ nom: "A", ...(page && { page }) }, { ...(referer && { referer }) })
    expect((await form.responses())[0].page).toBe(stored)
  }
})

test("a number of JSON is stored as it was written, of however many digits", async () => {
  const form = await forms.form({ fields: [{ name: "dossier", label: "Dossier", type: "number" }] })
  const send = (body: string) =>
    form.send({ headers: { "content-type": "application/json", origin: site }, body })
  for (const number of ["12345678901234567890", "0.10", "1e3"])
    expect((await send(`{"dossier":${number}}`)).status).toBe(201)
  expect((await form.responses()).map(({ values }) => values.dossier)).toEqual([
    "1e3",
    "0.10",
    "12345678901234567890",
  ])
})

test("every field at fault is named at once, and nothing is stored", async () => {
  const form = await forms.form({
    fields: [
      { name: "nom", label: "Nom", type: "text", required: true },
      { name: "adresse", label: "Adresse", type: "email", required: true },
      { name: "age", label: "Âge", type: "number" },
      { name: "jour", label: "Jour", type: "date" },
      { name: "choix", label: "Choix", type: "select", options: [{ value: "a", label: "A" }] },
      { name: "regles", label: "Règles", type: "checkbox", required: true },
    ],
  })
  const wrong = { adresse: "camille@", age: "douze", jour: "2026-02-30", choix: "b" }
  const refused = await form.json(wrong)
  expect(refused.status).toBe(400)
  expect(refused.body.error.code).toBe("invalid_request")
  expect(Object.keys(refused.body.error.fields)).toEqual(["nom", "adresse", "age", "jour", "choix", "regles"])
  expect(await form.responses()).toEqual([])
})

test("a browser gets its form back with what was typed, and can send it from there", async () => {
  const form = await forms.form()
  const typed = { nom: "", adresse: "camille@", message: "\nligne 1\r\nligne <2>", page: `${site}/contact` }
  const refused = await form.browser(typed)
  expect(refused.status).toBe(400)
  expect(refused.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(refused.body).toContain(`value="camille@"`)
  expect(refused.body).toContain("\n\nligne 1\nligne &lt;2></textarea>")
  expect(refused.body).toContain("Remplissez ce champ.")
  const [, page] = /name="page" value="([^"]+)"/.exec(refused.body) ?? []
  const [, key] = /name="guichet_key" value="([^"]+)"/.exec(refused.body) ?? []
  const [, proof] = /name="guichet_again" value="([^"]+)"/.exec(refused.body) ?? []
  expect(key).toBeTruthy()
  const again = { ...typed, nom: "Camille", adresse: "camille@exemple.fr", page: page as string }
  const ours = { origin: publicUrl, referer: `${publicUrl}/f/${form.publicId}` }
  expect((await form.browser(again, ours)).status).toBe(403)
  const moved = { ...again, page: `${site}/ailleurs`, guichet_again: proof as string }
  expect((await form.browser(moved, ours)).status).toBe(403)
  const sent = await form.browser({ ...again, guichet_again: proof as string }, ours)
  expect(sent.status).toBe(303)
  expect((await form.responses())[0].page).toBe(`${site}/contact`)
})

test("a form shown again may lead wherever the thank-you page does, by however many redirects", async () => {
  const policyOf = async (described: Record<string, unknown>) =>
    (await (await forms.form(described)).browser({ nom: "" })).headers.get("content-security-policy")
  expect(await policyOf({})).toContain("form-action 'self';")
  expect(await policyOf({ redirect_url: `${site}/merci` })).toContain("form-action 'self' http: https:;")
})

test("several forms on one page share no id", async () => {
  const ids: string[] = []
  for (const form of [await forms.form(), await forms.form()]) {
    const { body } = await forms.api.get(`/api/v1/forms/${form.id}/html`)
    ids.push(...[...String(body).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string))
  }
  expect(ids.length).toBeGreaterThan(3)
  expect(new Set(ids).size).toBe(ids.length)
})

test("what is corrected on a page already sent is a new response; the same sent again is not", async () => {
  const form = await forms.form()
  const refused = await form.browser({ nom: "", page: `${site}/contact` })
  const [, key] = /name="guichet_key" value="([^"]+)"/.exec(refused.body) ?? []
  const post = (nom: string) => form.browser({ nom, page: `${site}/contact`, guichet_key: key as string })
  for (const nom of ["Camile", "Camile", "Camille", "Camille"]) expect((await post(nom)).status).toBe(303)
  const names = (await form.responses()).map(({ values }: { values: { nom: string } }) => values.nom)
  expect(names.sort()).toEqual(["Camile", "Camille"])
})

test("every value shown again is text, never markup, on a page that runs nothing", async () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&`
  const form = await forms.form({
    name: hostile,
    consent: { text: hostile },
    fields: [
      { name: "a", label: hostile, type: "text" },
      { name: "b", label: hostile, type: "textarea" },
      { name: "c", label: hostile, type: "hidden" },
      { name: "d", label: hostile, type: "radio", options: [{ value: hostile, label: hostile }] },
      { name: "e", label: hostile, type: "select", options: [{ value: hostile, label: hostile }] },
      { name: "f", label: hostile, type: "email" },
      { name: "g", label: hostile, type: "checkbox", required: true },
    ],
  })
  const values = { a: hostile, b: `</textarea>${hostile}`, c: hostile, d: hostile, e: hostile, f: hostile }
  const shown = await form.browser({
    ...values,
    consent: hostile,
    guichet_key: hostile,
    guichet_started: hostile,
    page: `${site}/${hostile}`,
  })
  expect(shown.status).toBe(400)
  expect(shown.body).not.toMatch(/<script|<img/i)
  const policy = shown.headers.get("content-security-policy") as string
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain("unsafe")
  expect(shown.headers.get("x-content-type-options")).toBe("nosniff")
})

test("a checked box is oui, an unchecked one is empty", async () => {
  const form = await forms.form({
    fields: [
      { name: "lettre", label: "Lettre", type: "checkbox" },
      { name: "autre", label: "Autre", type: "checkbox" },
    ],
  })
  await form.browser({ lettre: "on" })
  expect((await form.responses())[0].values).toEqual({ lettre: "oui", autre: "" })
  await form.json({ lettre: true, autre: false })
  expect((await form.responses())[0].values).toEqual({ lettre: "oui", autre: "" })
})

test("the same key is the same response, once, even at the same time", async () => {
  const form = await forms.form()
  const before = messages.sent.length
  const sent = await Promise.all(
    Array.from({ length: 20 }, () => form.json({ nom: "Camille", guichet_key: "k1" })),
  )
  expect(new Set(sent.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  expect(await form.responses()).toHaveLength(1)
  expect(messages.sent.length - before).toBe(1)
  expect((await form.json({ nom: "Camille", guichet_key: "k2" })).body.id).not.toBe(sent[0]?.body.id)
  const other = await forms.form()
  expect((await other.json({ nom: "Camille", guichet_key: "k1" })).body.id).not.toBe(sent[0]?.body.id)
})

test("a response whose message would be too large is refused before anything is stored", async () => {
  const form = await forms.form()
  const refused = await form.json({ nom: "A", message: "é".repeat(210_000) })
  expect(refused.status).toBe(400)
  expect(refused.body.error.message).toContain("trop volumineux")
  expect(await form.responses()).toEqual([])
  const shown = await form.browser({ nom: "Camille", message: "x".repeat(210_000) })
  expect([shown.status, shown.body.includes("trop volumineux")]).toEqual([400, true])
  // Anybody may post what is refused: the page that says so does not grow with it.
  expect(shown.body.includes("revenez à la page précédente")).toBe(true)
  expect(Buffer.byteLength(shown.body)).toBeLessThan(64 * 1024)
  expect(await form.responses()).toEqual([])
})

test("a body beyond its bound is refused while it is read", async () => {
  const form = await forms.form()
  const body = `nom=A&message=${"x".repeat(3_000_000)}`
  const headers = { origin: site, "content-type": "application/x-www-form-urlencoded" }
  expect((await form.send({ headers, body })).status).toBe(400)
})

test("an unknown form is 404, as a page for a browser", async () => {
  const url = `${forms.service.url}/f/inconnu`
  const headers = { origin: site }
  const body = new URLSearchParams({ nom: "A" })
  const unknown = await fetch(url, { method: "POST", headers, body })
  expect(await unknown.json()).toMatchObject({ error: { code: "not_found" } })
  const page = await fetch(url, { method: "POST", headers: { ...headers, accept: "text/html" }, body })
  expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
})
