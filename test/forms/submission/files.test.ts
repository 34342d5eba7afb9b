import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { dayMs, hourMs } from "../../../src/base/clock.ts"
import type { NewMessage } from "../../../src/forms/message-queue.ts"
import { filePlaces } from "../../support/file-places.ts"
import { type Attached, compoundFile, contents, filledIn } from "../../support/files.ts"
import { type FormSite, type MadeForm, publicUrl, recordedMessages, site } from "../../support/forms.ts"
import { noS3Server } from "../../support/s3-server.ts"
import { aService } from "../../support/service-builder.ts"

const { signal } = new AbortController()
const application = {
  name: "Candidature",
  fields: [
    { name: "adresse", label: "Votre adresse", type: "email" },
    { name: "cv", label: "Votre CV", type: "file", required: true },
    { name: "photos", label: "Photos", type: "file", accept: ["image"], files: 2, megabytes: 1 },
  ],
}

const { places, objects: stored } = filePlaces()

for (const [place, settings] of Object.entries(places))
  describe.skipIf(place === "on S3" && noS3Server())(`a form with files kept ${place}`, () => {
    const messages = recordedMessages()
    let forms: FormSite
    let form: MadeForm

    beforeAll(async () => {
      forms = await aService()
        .withOverrides({ messageQueue: messages })
        .withForms()
        .withSettings({ ...(await settings()), GUICHET_FORM_FILE_BYTES_PER_VISITOR_DAY: "100 MB" })
        .started()
      form = await forms.form(application)
    })
    afterAll(() => forms[Symbol.asyncDispose]())

    const post = (values: Record<string, string>, ...files: Attached[]) =>
      form.send({ headers: { origin: site, accept: "application/json" }, body: filledIn(values, ...files) })
    const kept = () => forms.app.db.selectFrom("stored_file").selectAll().execute()
    /** Rows and objects that hold anything of a file. */
    async function pieces(): Promise<number> {
      const rows = await forms.app.db.selectFrom("stored_file_part").select("number").execute()
      const objects = stored().filter(([key]) => key.includes("files/"))
      return rows.length + objects.length
    }
    const lastValues = () => (messages.sent.at(-1) as NewMessage).data.values
    const fetched = (link: string, init: RequestInit = {}) => fetch(link.replace(publicUrl, forms.url), init)

    test("the message holds a signed link to each, good for as long as the message is kept", async () => {
      const sent = await post(
        { adresse: "zoe@exemple.fr" },
        ["cv", "Mon CV.pdf", contents.pdf],
        ["photos", "a.png", contents.png],
        ["photos", "b.png", contents.png],
      )
      expect([sent.status, sent.body.error]).toEqual([201, undefined])
      const values = lastValues()
      expect(values["cv"]).toStartWith(`${publicUrl}/files/`)
      expect(values["cv"]).toEndWith("/Mon%20CV.pdf")
      expect(values["photos"]?.split("\n")).toHaveLength(2)
      const reply = await fetched(values["cv"] as string)
      expect(reply.status).toBe(200)
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        "content-type": "application/pdf",
        "content-length": String(contents.pdf.length),
        "content-disposition": `attachment; filename="Mon CV.pdf"; filename*=UTF-8''Mon%20CV.pdf`,
        "x-content-type-options": "nosniff",
        "content-security-policy": expect.stringContaining("sandbox"),
        "cache-control": "no-store",
        "x-robots-tag": "noindex",
      })
      expect(contents.pdf.equals(Buffer.from(await reply.arrayBuffer()))).toBe(true)
      forms.clock.move(30 * dayMs - 1)
      expect((await fetched(values["cv"] as string)).status).toBe(200)
      forms.clock.move(1)
      const expired = await fetched(values["cv"] as string, { headers: { accept: "text/html" } })
      expect([expired.status, await expired.text()]).toEqual([404, expect.stringContaining("a expiré")])
    })

    test("a link that was changed in any part opens nothing", async () => {
      const [url] = lastValues()["photos"]?.split("\n") ?? []
      const [, id, until, signature] = /files\/(file_\w+)\.(\d+)\.([\w-]+)\//.exec(
        url as string,
      ) as never as string[]
      const other = (await kept()).find((file) => file.id !== id)?.id
      for (const token of [
        `${id}.${Number(until) + 90 * dayMs}.${signature}`,
        `${other}.${until}.${signature}`,
        `${id}.${until}.${"A".repeat(43)}`,
        `${id}.${until}.`,
        `${id}`,
        "..",
      ])
        expect((await fetch(`${forms.url}/files/${token}/a.png`)).status).toBe(404)
    })

    test("the management API lists them by their names, and gives each to who may read the form", async () => {
      const [{ id, values, files }] = await form.responses()
      expect(values).toEqual({ adresse: "zoe@exemple.fr", cv: "Mon CV.pdf", photos: "a.png\nb.png" })
      expect(files).toMatchObject([
        { field: "cv", name: "Mon CV.pdf", media_type: "application/pdf", bytes: contents.pdf.length },
        { field: "photos", name: "a.png", media_type: "image/png" },
        { field: "photos", name: "b.png", media_type: "image/png" },
      ])
      const path = `/api/v1/forms/${form.id}/responses/${id}/files`
      expect((await forms.api.get(`${path}/${files[0].id}`)).body).toBe(contents.pdf.toString())
      expect((await fetch(`${forms.url}${path}/${files[1].id}`)).status).toBe(401)
      expect((await forms.api.get(`${path}/file_00`)).status).toBe(404)
      const other = await forms.form(application)
      expect((await forms.api.get(`${path.replace(form.id, other.id)}/${files[1].id}`)).status).toBe(404)
    })

    test("a person's data holds the files themselves", async () => {
      const { body } = await forms.api.post("/api/v1/exports", { email: "zoe@exemple.fr" })
      expect(body.items[0].files[0]).toMatchObject({
        name: "Mon CV.pdf",
        content: contents.pdf.toString("base64"),
      })
    })

    test("erasing a person removes every byte, and the links lead nowhere", async () => {
      expect(await pieces()).toBe(3)
      const [url] = lastValues()["photos"]?.split("\n") ?? []
      await forms.api.post("/api/v1/erasures", { email: "zoe@exemple.fr" })
      expect([await kept(), await pieces()]).toEqual([[], 0])
      expect((await fetched(url as string)).status).toBe(404)
      const { bytes } = await forms.app.db.selectFrom("file_space").select("bytes").executeTakeFirstOrThrow()
      expect(bytes).toBe(0)
    })

    const refused: [what: string, files: Attached[], fields: Record<string, unknown>][] = [
      ["no file where one is required", [], { cv: "Choisissez un fichier." }],
      [
        "a program that is called a PDF, and says so",
        [["cv", "cv.pdf", contents.exe, "application/pdf"]],
        { cv: expect.stringContaining("n’est pas d’un type accepté ici") },
      ],
      [
        "a document with macros",
        [["cv", "cv.docx", contents.docm]],
        { cv: expect.stringContaining("contient des macros") },
      ],
      [
        "one of an older Word",
        [["cv", "cv.doc", compoundFile({ WordDocument: "", "Macros/VBA/_VBA_PROJECT": "" })]],
        { cv: expect.stringContaining("contient des macros") },
      ],
      [
        "a document under a password",
        [["cv", "cv.docx", compoundFile({ EncryptedPackage: "" })]],
        { cv: expect.stringContaining("protégé par un mot de passe") },
      ],
      [
        "a document with macros where pictures alone are taken",
        [
          ["cv", "cv.pdf", contents.pdf],
          ["photos", "a.docx", contents.docm],
        ],
        { photos: expect.stringContaining("n’est pas d’un type accepté ici\u00a0: image (JPEG") },
      ],
      ["an archive", [["cv", "cv.pdf", contents.zip]], { cv: expect.any(String) }],
      ["an empty file", [["cv", "cv.pdf", Buffer.alloc(0)]], { cv: "«\u00a0cv.pdf\u00a0» est vide." }],
      [
        "two files where one is taken",
        [
          ["cv", "a.pdf", contents.pdf],
          ["cv", "b.pdf", contents.pdf],
        ],
        { cv: "Choisissez un seul fichier." },
      ],
      [
        "one that is larger than its field takes",
        [
          ["cv", "cv.pdf", contents.pdf],
          ["photos", "a.png", Buffer.concat([contents.png, Buffer.alloc(1024 ** 2)])],
        ],
        { photos: "«\u00a0a.png\u00a0» est trop lourd\u00a0: 1\u00a0Mo au plus." },
      ],
    ]
    for (const [what, files, fields] of refused)
      test(`${what} is refused at its field, and nothing is kept`, async () => {
        const sent = await post({ adresse: "a@exemple.fr" }, ...files)
        expect(sent).toMatchObject({ status: 400, body: { error: { fields } } })
        expect([await kept(), await form.responses()]).toEqual([[], []])
      })

    test("a file for a field that takes none is refused", async () => {
      const sent = await post({}, ["cv", "a.pdf", contents.pdf], ["adresse", "b.pdf", contents.pdf])
      expect(sent).toMatchObject({ status: 400 })
      expect(sent.body.error.message).toContain("n’accepte pas de fichier")
      expect(await kept()).toEqual([])
    })

    test("files are judged together, before more of them is read", async () => {
      const large = Buffer.concat([contents.pdf, Buffer.alloc(27 * 1024 ** 2)])
      const sent = await post({}, ["cv", "a.pdf", large])
      expect(sent.status).toBe(400)
      expect(sent.body.error.message).toContain("25\u00a0Mo par envoi au plus")
    })

    test("a program is told that files need multipart, whatever it sends instead", async () => {
      for (const cv of ["cv.pdf", { name: "cv.pdf", content: "JVBERi0=" }, ["JVBERi0="]]) {
        const sent = await form.json({ adresse: "a@exemple.fr", cv })
        expect(sent.body.error.fields.cv).toContain("multipart/form-data")
      }
      const encoded = await form.browser({ adresse: "a@exemple.fr", cv: "cv.pdf" }, { accept: "*/*" })
      expect(encoded.body.error.fields.cv).toContain("multipart/form-data")
    })

    test("a browser gets its texts back, and is asked to choose the file again", async () => {
      const sent = await form.send({
        headers: { origin: site, accept: "text/html" },
        body: filledIn({ adresse: "pas une adresse" }, ["cv", "cv.pdf", contents.pdf]),
      })
      expect(sent.status).toBe(400)
      expect(sent.body).toContain('value="pas une adresse"')
      expect(sent.body).toContain("Choisissez de nouveau ce fichier")
      expect(sent.body).toContain('enctype="multipart/form-data"')
    })

    test("the same post again is the same response, another file is another", async () => {
      const again = { adresse: "a@exemple.fr", guichet_key: "same" }
      const first = await post(again, ["cv", "cv.pdf", contents.pdf])
      const second = await post(again, ["cv", "cv.pdf", contents.pdf])
      expect(second.body.id).toBe(first.body.id)
      const other = Buffer.concat([contents.pdf, Buffer.from("\n%%EOF")])
      const third = await post(again, ["cv", "cv.pdf", other])
      expect(third.body.id).not.toBe(first.body.id)
      expect(await kept()).toHaveLength(2)
    })

    test("what a program sends is kept without its files, and accepting it sends no link", async () => {
      const before = (await kept()).length
      await post({ guichet_trap: "x" }, ["cv", "cv.pdf", contents.pdf])
      expect(await kept()).toHaveLength(before)
      const [unwanted] = await form.responses("state=unwanted")
      expect(unwanted).toMatchObject({ values: { cv: "cv.pdf" }, files: [] })
      await forms.api.post(`/api/v1/forms/${form.id}/responses/${unwanted?.id}/acceptance`)
      expect(messages.sent.at(-1)?.data).toMatchObject({ values: { cv: "" } })
    })

    test("removing the form removes its files, whatever became of them since", async () => {
      await forms.api.delete(`/api/v1/forms/${form.id}`)
      await forms.app.removeProject(forms.projectId)
      forms.clock.move(2 * hourMs)
      await forms.app.files.purge(signal)
      expect([await kept(), await pieces()]).toEqual([[], 0])
    })
  })

test("a workspace without room says so to the visitor, and keeps nothing", async () => {
  await using forms = await aService()
    .withForms()
    .withSettings({ GUICHET_FILES_PER_WORKSPACE: "5 KB" })
    .started()
  const form = await forms.form(application)
  const cv = Buffer.concat([contents.pdf, Buffer.alloc(6000)])
  const sent = await form.send({ headers: { origin: site }, body: filledIn({}, ["cv", "cv.pdf", cv]) })
  expect([sent.status, sent.body.error.message]).toEqual([429, expect.stringContaining("n’a plus de place")])
  expect(await form.responses()).toEqual([])
})
