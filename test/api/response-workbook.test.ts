import { afterAll, beforeAll, expect, test } from "bun:test"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { unzipSync } from "fflate"
import { createToken } from "../../src/accounts/token.ts"
import { type FormSite, recordedMessages } from "../support/forms.ts"
import { isMissing } from "../support/missing.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

// The table of a form's responses as a workbook, as LibreOffice opens it.

const noSpreadsheet = isMissing(
  Bun.which("soffice") !== null,
  "no LibreOffice: the tests of workbooks are skipped (Debian: libreoffice-calc-nogui)",
)

let forms: FormSite

beforeAll(async () => {
  forms = await aService().withOverrides({ messageQueue: recordedMessages() }).withForms().started()
})
afterAll(() => forms[Symbol.asyncDispose]())

const fields = [
  { name: "code", label: "Code", type: "text" },
  { name: "tel", label: "Téléphone", type: "tel" },
  { name: "poids", label: "Poids", type: "number" },
  { name: "jour", label: "Jour", type: "date" },
]

async function workbook(id: string): Promise<Uint8Array> {
  const { text: token } = await createToken(
    forms.service.app.db,
    forms.api.workspaceId,
    "CI",
    forms.clock.now(),
  )
  const reply = await fetch(`${forms.service.url}/api/v1/forms/${id}/responses.xlsx`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(reply.headers.get("content-type")).toBe(
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  )
  expect(reply.headers.get("content-disposition")).toMatch(/^attachment; filename="messages-[\w-]+\.xlsx"$/)
  return new Uint8Array(await reply.arrayBuffer())
}

/** Each cell of the rows below the heading as LibreOffice read it: `string 0612345678`, `float 12.5`. */
async function opened(bytes: Uint8Array): Promise<string[][]> {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, "table.xlsx"), bytes)
  const run = Bun.spawn(
    [
      "soffice",
      "--headless",
      "--convert-to",
      "fods",
      "--outdir",
      folder.path,
      join(folder.path, "table.xlsx"),
    ],
    { env: { ...process.env, HOME: folder.path }, stdout: "ignore", stderr: "ignore" },
  )
  expect(await run.exited).toBe(0)
  const xml = readFileSync(join(folder.path, "table.fods"), "utf8")
  const rows = [...xml.matchAll(/<table:table-row.*?<\/table:table-row>/gs)].map(([row]) =>
    [...row.matchAll(/<table:table-cell(.*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
      ([, attributes = "", content = ""]) => {
        const type = /office:value-type="(\w+)"/.exec(attributes)?.[1] ?? ""
        const value = /office:(?:date-)?value="([^"]*)"/.exec(attributes)?.[1]
        const times = Number(/number-columns-repeated="(\d+)"/.exec(attributes)?.[1] ?? 1)
        const text = content.replace(/<[^>]+>/g, "").trim()
        return Array<string>(Math.min(times, 20)).fill(`${type} ${value ?? text}`.trim())
      },
    ),
  )
  return rows.slice(1).filter((cells) => cells.some(Boolean))
}

test.skipIf(noSpreadsheet)(
  "texts keep their zeros and their digits, numbers, days and times are typed",
  async () => {
    const form = await forms.form({ fields })
    await form.json({ code: "01000", tel: "0612345678", poids: "12,5", jour: "26/11/2026" })
    await form.json({ code: "12345678901234", tel: "+33 6 12 34 56 78", poids: "0012", jour: "1789-07-14" })
    await form.json({ code: "3E5", poids: "1234567890123456" })
    await form.json({ code: "=1+1" })
    const rows = await opened(await workbook(form.id))
    expect(rows.map((cells) => cells.slice(2, 6))).toEqual([
      ["string =1+1", "", "", ""],
      ["string 3E5", "", "string 1234567890123456", ""],
      ["string 12345678901234", "string +33 6 12 34 56 78", "string 0012", "string 1789-07-14"],
      ["string 01000", "string 0612345678", "float 12.5", "date 2026-11-26"],
    ])
    expect(rows[0]?.[1]).toBe("date 2026-03-10T10:00:00")
  },
)

test.skipIf(noSpreadsheet)(
  "whatever was typed opens: mark-up, line ends, control characters, a very long text",
  async () => {
    const form = await forms.form({
      fields: [{ name: "texte", label: "<Texte> & « co »", type: "textarea" }],
    })
    const long = "é😀".repeat(30_000)
    for (const texte of ["<b>&amp;\"'</b>", "a\nb", "_x0041_", "\ufffe\uffff", "\ud800", long])
      await form.json({ texte })
    const rows = await opened(await workbook(form.id))
    expect(rows).toHaveLength(6)
    const texts = rows.map((cells) => cells[2]).reverse()
    expect(texts.slice(0, 3)).toEqual([
      "string &lt;b&gt;&amp;amp;&quot;&apos;&lt;/b&gt;",
      "string ab",
      "string _x0041_",
    ])
    expect(texts[5]).toEndWith("…")
  },
)

test("a workbook is written as its rows are read, and is one archive however many there are", async () => {
  const form = await forms.form({ fields })
  await Promise.all(Array.from({ length: 150 }, (_, at) => form.json({ code: `n${at}` })))
  const sheet = unzipSync(await workbook(form.id))["xl/worksheets/sheet1.xml"] as Uint8Array
  expect(new TextDecoder().decode(sheet).match(/<row>/g)).toHaveLength(151)
})
