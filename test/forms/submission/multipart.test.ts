import { afterAll, beforeAll, expect, test } from "bun:test"
import { connect } from "node:net"
import { type FormSite, type MadeForm, site } from "../../support/forms.ts"
import { aService } from "../../support/service-builder.ts"

let forms: FormSite
beforeAll(async () => {
  forms = await aService().withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

const usual = "multipart/form-data; boundary=XX"

function sent(
  form: MadeForm,
  contentType: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
) {
  return form.send({
    headers: { origin: site, "content-type": contentType, ...headers },
    body: body as BodyInit,
  })
}

/** A body of one part with these headers. */
function part(headers: string, text: string): string {
  return `--XX\r\n${headers}\r\n\r\n${text}\r\n--XX--\r\n`
}

const nom = 'Content-Disposition: form-data; name="nom"'

const readable: [kind: string, contentType: string, body: string | Buffer, value: string][] = [
  ["as browsers write it", usual, part(nom, "Zoé"), "Zoé"],
  ["with blanks behind the boundary", usual, `--XX  \r\n${nom}\r\n\r\nZoé\r\n--XX-- \t\r\n`, "Zoé"],
  [
    "with a parameter behind the boundary",
    "multipart/form-data; boundary=XX ; charset=utf-8",
    part(nom, "Zoé"),
    "Zoé",
  ],
  ["with a quoted boundary", 'Multipart/Form-Data; charset=UTF-8; Boundary="XX"', part(nom, "Zoé"), "Zoé"],
  ["with bare line feeds", usual, part(nom, "Zoé").replaceAll("\r\n", "\n"), "Zoé"],
  ["with an unquoted name", usual, part("content-disposition:form-data;name=nom", "Zoé"), "Zoé"],
  ["with a folded header", usual, part('Content-Disposition: form-data;\r\n  name="nom"', "Zoé"), "Zoé"],
  ["with words before and after", usual, `Bonjour\r\n${part(nom, "Zoé")}\r\nAu revoir`, "Zoé"],
  ["without a last line end", usual, `--XX\r\n${nom}\r\n\r\nZoé\r\n--XX--`, "Zoé"],
  [
    "in quoted-printable",
    usual,
    part(`${nom}\r\nContent-Transfer-Encoding: Quoted-Printable`, "Zo=C3=A9 =\r\nLaure"),
    "Zoé Laure",
  ],
  ["in base64", usual, part(`${nom}\r\nContent-Transfer-Encoding: base64`, "Wm/D\r\nqQ=="), "Zoé"],
  [
    "in Latin-1",
    usual,
    Buffer.from(part(`${nom}\r\nContent-Type: text/plain; charset=iso-8859-1`, "Zoé"), "latin1"),
    "Zoé",
  ],
  ["with the boundary within a text", usual, part(nom, "a --XX b\r\n--XXY"), "a --XX b --XXY"],
]

test.each(readable)("a form in parts %s is stored", async (_, contentType, body, value) => {
  const form = await forms.form()
  expect(await sent(form, contentType, body)).toMatchObject({ status: 201 })
  expect(await form.responses()).toMatchObject([{ values: { nom: value } }])
})

const unreadable: [kind: string, contentType: string, body: string | Buffer, says: string][] = [
  ["no boundary in its header", "multipart/form-data", part(nom, "Zoé"), "boundary"],
  ["another boundary", "multipart/form-data; boundary=YY", part(nom, "Zoé"), "ne contient pas le séparateur"],
  ["no end", usual, `--XX\r\n${nom}\r\n\r\nZo`, "s’arrête avant sa fin"],
  ["a part without a name", usual, part("Content-Disposition: form-data", "Zoé"), "n’a pas de nom"],
  ["a part without headers", usual, "--XX\r\n\r\nZoé\r\n--XX--", "n’a pas de nom"],
  ["an unknown encoding", usual, part(`${nom}\r\nContent-Transfer-Encoding: uuencode`, "Zoé"), "uuencode"],
  [
    "an unknown charset",
    usual,
    part(`${nom}\r\nContent-Type: text/plain; charset=zorglub`, "Zoé"),
    "zorglub",
  ],
  ["bytes that are not UTF-8", usual, Buffer.from(part(nom, "Zoé"), "latin1"), "« nom »"],
  ["names of no field", usual, part('Content-Disposition: form-data; name="prenom"', "Zoé"), "aucun champ"],
  ["no part", usual, "--XX--\r\n", "aucun champ"],
]

test.each(unreadable)(
  "a form in parts with %s is refused for that, and nothing is stored",
  async (_, type, body, says) => {
    const form = await forms.form({ fields: [{ name: "nom", label: "Nom", type: "text" }] })
    const refused = await sent(form, type, body)
    expect(refused.status).toBe(400)
    expect(refused.body.error.message.replaceAll("\u00a0", " ")).toContain(says)
    expect(await form.responses()).toEqual([])
  },
)

test("a body of which nothing was understood is refused in every format; a helper field alone is enough", async () => {
  const form = await forms.form({ fields: [{ name: "nom", label: "Nom", type: "text" }] })
  const bodies = [
    ["application/x-www-form-urlencoded", ""],
    ["application/x-www-form-urlencoded", "prenom=Zo%C3%A9"],
    ["application/x-www-form-urlencoded", '{"nom":"Zoé"}'],
    ["application/json", "{}"],
    ["application/json", '{"data":{"nom":"Zoé"}}'],
  ] as const
  for (const [type, body] of bodies)
    expect(await sent(form, type, body)).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request", message: expect.stringContaining("aucun champ") } },
    })
  expect(await form.responses()).toEqual([])
  expect((await sent(form, "application/x-www-form-urlencoded", "guichet_trap=")).status).toBe(201)
})

test("a compressed body is told so", async () => {
  const form = await forms.form()
  const body = Buffer.from(Bun.gzipSync("nom=Zoe"))
  const refused = await sent(form, "application/x-www-form-urlencoded", body, { "content-encoding": "gzip" })
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("gzip") } },
  })
  const plain = await sent(form, "application/x-www-form-urlencoded", "nom=Zoe", {
    "content-encoding": "identity",
  })
  expect(plain.status).toBe(201)
})

test("a body in chunks with extensions is read whole", async () => {
  const form = await forms.form()
  const { hostname, port } = new URL(forms.service.url)
  const socket = connect(Number(port), hostname)
  const chunks = "4;a=b\r\nnom=\r\n3\r\nZoe\r\n0\r\n\r\n"
  socket.write(
    `POST /f/${form.publicId} HTTP/1.1\r\nhost: localhost\r\norigin: ${site}\r\ncontent-type: application/x-www-form-urlencoded\r\n` +
      `transfer-encoding: chunked\r\nconnection: close\r\n\r\n${chunks}`,
  )
  let reply = ""
  for await (const bytes of socket) reply += bytes
  expect(reply).toStartWith("HTTP/1.1 201")
  expect(await form.responses()).toMatchObject([{ values: { nom: "Zoe" } }])
})
