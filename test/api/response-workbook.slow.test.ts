import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { unzipSync } from "fflate"
import { createToken } from "../../src/accounts/token.ts"
import { type FormSite, recordedMessages } from "../support/forms.ts"
import { hasLibreOffice } from "../support/libreoffice.ts"
import { isMissing } from "../support/missing.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

// The table of a form's responses as a workbook, as LibreOffice and Python's openpyxl (which pandas reads by) open it.

const python = "/usr/bin/python3"
const hasOpenpyxl =
  existsSync(python) && Bun.spawnSync([python, "-c", "import openpyxl"], { stderr: "ignore" }).success

const readers = [
  {
    name: "LibreOffice",
    opened: openedByLibreOffice,
    isAbsent: isMissing(
      hasLibreOffice("calc"),
      "no LibreOffice Calc: its tests of workbooks are skipped (Debian: libreoffice-calc-nogui)",
    ),
  },
  {
    name: "openpyxl",
    opened: openedByOpenpyxl,
    isAbsent: isMissing(
      hasOpenpyxl,
      "no openpyxl: its tests of workbooks are skipped (Debian: python3-openpyxl)",
    ),
  },
]

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
async function openedByLibreOffice(bytes: Uint8Array): Promise<string[][]> {
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
        const text = plainText(content)
        return Array<string>(Math.min(times, 80)).fill(`${type} ${value ?? text}`.trim())
      },
    ),
  )
  return rows.slice(1).filter((cells) => cells.some(Boolean))
}

/** A line of a cell is a paragraph. */
function plainText(xml: string): string {
  const text = xml
    .trim()
    .replace(/<\/text:p>\s*<text:p>/g, "\n")
    .replace(/<[^>]+>/g, "")
  const signs = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" }
  return text.replace(/&\w+;/g, (sign) => signs[sign as keyof typeof signs])
}

/** The same as openpyxl read them. */
async function openedByOpenpyxl(bytes: Uint8Array): Promise<string[][]> {
  using folder = temporaryFolder()
  const path = join(folder.path, "table.xlsx")
  writeFileSync(path, bytes)
  const run = Bun.spawn([python, "-W", "error", "-c", asKinds, path], { stdout: "pipe" })
  const [text] = await Promise.all([new Response(run.stdout).text(), run.exited])
  expect(run.exitCode).toBe(0)
  return JSON.parse(text).slice(1)
}

const asKinds = `
import datetime, json, sys, openpyxl
def kind(cell):
    value = cell.value
    if value is None: return ""
    if isinstance(value, datetime.datetime): return "date " + value.isoformat().removesuffix("T00:00:00")
    # openpyxl undoes Excel's escape of "_x0041_" in shared strings alone.
    return "string " + value.replace("x005F_", "") if isinstance(value, str) else "float " + str(value)
print(json.dumps([[kind(cell) for cell in row] for row in openpyxl.load_workbook(sys.argv[1]).active.iter_rows()]))
`

describe.each(readers)("opened by $name", ({ opened, isAbsent }) => {
  test.skipIf(isAbsent)(
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

  test.skipIf(isAbsent)(
    "whatever was typed: mark-up, line ends, control characters, a very long text",
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
      expect(texts.slice(0, 3)).toEqual(["string <b>&amp;\"'</b>", "string a\nb", "string _x0041_"])
      expect(texts[5]).toEndWith("…")
    },
  )

  test.skipIf(isAbsent)(
    "what was stored while a field was a text stays one once it is a number or a day",
    async () => {
      const text = { label: "Code", type: "text" }
      const form = await forms.form({
        fields: [
          { ...text, name: "a" },
          { ...text, name: "b" },
        ],
      })
      await form.json({ a: "abc", b: "14 May 2026" })
      await form.json({ a: "Infinity", b: "3" })
      await form.json({ a: "0x10", b: "3" })
      const fields = [
        { name: "a", label: "Nombre", type: "number" },
        { name: "b", label: "Jour", type: "date" },
      ]
      expect((await forms.api.patch(`/api/v1/forms/${form.id}`, { fields })).status).toBe(200)
      const rows = await opened(await workbook(form.id))
      expect(rows.map((cells) => cells.slice(2, 4))).toEqual([
        ["string 0x10", "string 3"],
        ["string Infinity", "string 3"],
        ["string abc", "string 14 May 2026"],
      ])
    },
  )

  test.skipIf(isAbsent)("more fields than the alphabet has letters, most of them empty", async () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ name: `f${at}`, label: `F${at}`, type: "text" }))
    const form = await forms.form({ fields: many })
    await form.json({ f0: "premier", f30: "milieu", f59: "dernier" })
    const [row = []] = await opened(await workbook(form.id))
    expect([row[2], row[32], row[61]]).toEqual(["string premier", "string milieu", "string dernier"])
  })
})

test("a workbook is written as its rows are read, and is one archive however many there are", async () => {
  const form = await forms.form({ fields })
  await Promise.all(Array.from({ length: 150 }, (_, at) => form.json({ code: `n${at}` })))
  const sheet = unzipSync(await workbook(form.id))["xl/worksheets/sheet1.xml"] as Uint8Array
  expect(new TextDecoder().decode(sheet).match(/<row r="\d+"><c r="A/g)).toHaveLength(151)
})
