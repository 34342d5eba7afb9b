import { expect, test } from "bun:test"
import { paragraph, readPages } from "../../support/pdf.ts"

const opening = paragraph(
  [
    "Le guichet est ouvert du lundi au vendredi, de neuf heures à midi, et il",
    "reçoit sur rendez-vous l'après-midi.",
  ],
  120,
)

const row = (cells: string[], y: number) => cells.map((text, at) => ({ text, x: 60 + at * 150, y }))

test("a table keeps its rows and columns, lists their items", async () => {
  const row = (cells: string[], y: number) => cells.map((text, at) => ({ text, x: 60 + at * 150, y }))
  const { sections } = await readPages([
    [
      ...opening,
      ...row(["Quotient familial", "Prix du repas", "Prix de l'année"], 170),
      ...row(["Moins de 500", "1,20", "166,80"], 188),
      ...row(["De 500 à 1 000", "2,80", "389,20"], 206),
      { text: "\u00b7", x: 66, y: 240 },
      { text: "Le livret de famille", x: 84, y: 240 },
      { text: "- Un justificatif de domicile", x: 66, y: 256 },
    ],
  ])
  expect(sections[0]?.markdown.split("\n\n").slice(1)).toEqual([
    "| Quotient familial | Prix du repas | Prix de l'année |\n| --- | --- | --- |\n| Moins de 500 | 1,20 | 166,80 |\n| De 500 à 1 000 | 2,80 | 389,20 |",
    "- Le livret de famille\n- Un justificatif de domicile",
  ])
})

test("a table over pages has its head on each, also where a page's end left the head alone", async () => {
  const prices = (from: number, to: number, y: number) =>
    Array.from({ length: to - from }, (_, at) =>
      row([`Salle ${from + at}`, `${from + at} euros`], y + at * 18),
    ).flat()
  const { sections } = await readPages([
    [{ text: "Tarifs", y: 60, size: 18 }, ...row(["Salle", "Prix"], 120), ...prices(1, 4, 138)],
    [...prices(4, 7, 80)],
  ])
  expect(sections[0]?.markdown.split("\n\n")).toEqual([
    "| Salle | Prix |\n| --- | --- |\n| Salle 1 | 1 euros |\n| Salle 2 | 2 euros |\n| Salle 3 | 3 euros |",
    "| Salle | Prix |\n| --- | --- |\n| Salle 4 | 4 euros |\n| Salle 5 | 5 euros |\n| Salle 6 | 6 euros |",
  ])
  const alone = await readPages([[...opening, ...row(["Salle", "Prix"], 700)], [...prices(1, 3, 80)]])
  expect(alone.sections[0]?.markdown.split("\n\n").slice(1)).toEqual([
    "| Salle | Prix |\n| --- | --- |\n| Salle 1 | 1 euros |\n| Salle 2 | 2 euros |",
  ])
})

test("single words above columns of a table are its head", async () => {
  const row = (y: number, cells: [string, number][]) => cells.map(([text, x]) => ({ text, x, y }))
  const { sections } = await readPages([
    [
      ...opening,
      ...row(200, [
        ["Service ", 60],
        ["Prix ", 114],
        ["Horaires ", 150],
      ]),
      ...[220, 236, 252].flatMap((y, at) =>
        row(y, [
          [`Salle ${at}`, 60],
          [`${at + 1}0`, 124],
          [`${at + 2}`, 186],
        ]),
      ),
    ],
  ])
  expect(sections[0]?.markdown).toContain("| Service | Prix | Horaires |")
})

test("a table that is turned sideways is read as one", async () => {
  const rows = [
    ["Salle", "Places", "Tarif"],
    ...[1, 2, 3, 4, 5].map((at) => [`Salle ${at}`, `${at * 10} places`, `${at * 5} euros`]),
  ]
  const cell = (text: string, row: number, column: number) =>
    `BT /F1 11 Tf 0 1 -1 0 ${120 + row * 24} ${120 + column * 160} Tm (${text}) Tj ET`
  const operators = rows.flatMap((row, at) => row.map((text, column) => cell(text, at, column))).join("\n")
  const { sections } = await readPages([opening, []], { operators: `\n${operators}\n` })
  const text = sections.map(({ markdown }) => markdown).join("\n")
  expect(text).toContain("| Salle | Places | Tarif |")
  expect(text).toContain("| Salle 3 | 30 places | 15 euros |")
})

test("a spreadsheet whose rows are drawn from the last to the first is read from the top", async () => {
  const columns = [
    ["Prestation", ...[1, 2, 3, 4, 5, 6].map((at) => `Atelier ${at}`)],
    ["Durée", ...[1, 2, 3, 4, 5, 6].map((at) => `${at} heures`)],
    ["Prix", ...[1, 2, 3, 4, 5, 6].map((at) => `${at * 12} euros`)],
  ]
  const cells = columns.flatMap((column, at) =>
    column.map((text, row) => ({ text, x: 60 + at * 150, y: 100 + row * 20 })),
  )
  const { sections } = await readPages([cells.toSorted((one, other) => other.y - one.y)])
  const text = sections.map(({ markdown }) => markdown).join("\n")
  expect(text).toContain("| Prestation | Durée | Prix |")
  expect(text).toContain("| Atelier 4 | 4 heures | 48 euros |")
})

test("the head that a spreadsheet repeats at the top of every page is the head of its table", async () => {
  const row = (cells: string[], y: number) => cells.map((text, at) => ({ text, x: 60 + at * 120, y }))
  const page = (from: number) =>
    [
      ["Salle", "Places", "Tarif"],
      ...[1, 2, 3, 4, 5, 6].map((at) => [`Salle ${from + at}`, "30", `${at} euros`]),
    ].flatMap((cells, at) => row(cells, 80 + at * 15))
  const { sections } = await readPages([page(0), page(6), page(12)])
  const text = sections.map(({ markdown }) => markdown).join("\n")
  expect(text).toStartWith("| Salle | Places | Tarif |\n")
  expect(text).toContain("| Salle 14 | 30 | 2 euros |")
})
