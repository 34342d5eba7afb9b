import { expect, test } from "bun:test"
import { quotedSection } from "../../../src/answering/ask/citations.ts"
import { splitDocument } from "../../../src/reading/passages/split-document.ts"
import { makePdf, type PdfText, paragraph, place, readPages, readPdf } from "../../support/pdf.ts"

const opening = paragraph(
  [
    "Le guichet est ouvert du lundi au vendredi, de neuf heures à midi, et il",
    "reçoit sur rendez-vous l'après-midi.",
  ],
  120,
)

test("headings are told by the size of their letters, and lines become paragraphs", async () => {
  const { title, sections } = await readPages([
    [
      { text: "Guide de la mairie", y: 60, size: 22 },
      { text: "Horaires", y: 95, size: 15 },
      ...opening,
      { text: "Pièces à fournir", y: 170, bold: true },
      ...paragraph(["Une pièce d'identité et un justificatif de domicile suffisent ici."], 190),
    ],
  ])
  expect(title).toBe("Guide de la mairie")
  expect(sections).toEqual([
    {
      headings: ["Horaires"],
      anchor: "page=1",
      markdown:
        "Le guichet est ouvert du lundi au vendredi, de neuf heures à midi, et il reçoit sur rendez-vous l'après-midi.",
    },
    {
      headings: ["Horaires", "Pièces à fournir"],
      anchor: "page=1",
      markdown: "Une pièce d'identité et un justificatif de domicile suffisent ici.",
    },
  ])
})

test("running heads, feet and page numbers are left out", async () => {
  const pages = [1, 2, 3, 4].map((number) => [
    { text: "Mairie de Saint-Aubin", y: 40, size: 9 },
    { text: `Chapitre ${number * number}`, y: 80, size: 16 },
    ...paragraph([`Le chapitre ${number} dit ce que la commune fait pour ses habitants.`], 120),
    { text: `Page ${number} / 4`, x: 280, y: 810, size: 9 },
  ])
  const { sections } = await readPages(pages, { title: "Rapport" })
  expect(sections.map(({ headings, anchor }) => [headings.at(-1), anchor])).toEqual([
    ["Chapitre 1", "page=1"],
    ["Chapitre 4", "page=2"],
    ["Chapitre 9", "page=3"],
    ["Chapitre 16", "page=4"],
  ])
  expect(JSON.stringify(sections)).not.toMatch(/Saint-Aubin|Page/)
})

test("a word that a line's end halves is whole again, and keeps a hyphen of its own", async () => {
  const { sections } = await readPages([
    paragraph(
      [
        "Pour un passeport ou une carte d'identité, la demande d'un pas-",
        "seport se fait en mairie. Présentez-vous au guichet ; présentez-",
        "vous aussi avec votre enfant, dont la présence est bien obliga-",
        "toire.",
      ],
      80,
    ),
  ])
  expect(sections[0]?.markdown).toBe(
    "Pour un passeport ou une carte d'identité, la demande d'un passeport se fait en mairie. Présentez-vous au guichet ; présentez-vous aussi avec votre enfant, dont la présence est bien obligatoire.",
  )
})

test("two columns are read one after the other, however their file orders the lines", async () => {
  const left = [
    "L'accueil du matin ouvre à sept heures",
    "dans toutes les écoles de la commune,",
    "et celui du soir se termine à dix-huit",
    "heures trente précises chaque jour.",
  ]
  const right = [
    "Le remboursement d'un trimestre est",
    "accordé en cas de déménagement ou de",
    "maladie de plus de quinze jours, avec",
    "un certificat du médecin traitant.",
  ]
  const lines = left.map((text, at) => [
    { text, x: 60, y: 100 + at * 14 },
    { text: right[at] as string, x: 310, y: 100 + at * 14 },
  ])
  const text = `${left.join(" ")}\n\n${right.join(" ")}`
  expect((await readPages([lines.flat()])).sections[0]?.markdown).toBe(text)
  const columns = [...lines.map(([one]) => one as PdfText), ...lines.map(([, other]) => other as PdfText)]
  expect((await readPages([columns])).sections[0]?.markdown).toBe(text)
})

test("a section goes on over pages, and a quotation leads to the page that it stands on", async () => {
  const subjects = ["la cantine", "les écoles", "la voirie"]
  const line = (subject: string, at: number) => `Ligne ${at} : ce que la commune décide pour ${subject}.`
  const pages = subjects.map((subject) =>
    paragraph(
      Array.from({ length: 40 }, (_, at) => line(subject, at)),
      80,
    ),
  )
  const document = await readPages([[{ text: "Rapport", y: 50, size: 20 }], ...pages])
  expect(document.sections).toHaveLength(1)
  const passages = splitDocument(document)
  const pageOf = (subject: string) => {
    const quotation = line(subject, 0)
    const passage = passages.find(({ markdown }) => markdown.includes(quotation))
    return passage && quotedSection(passage, { markdown: quotation, passages: [passage] }).url
  }
  expect(subjects.map(pageOf)).toEqual([2, 3, 4].map((page) => `${place.url}#page=${page}`))
})

test("the title is the file's own, unless a program wrote it; else the first heading, else the name", async () => {
  const text = [{ text: "Horaires", y: 60, size: 20 }, ...opening]
  expect((await readPages([text], { title: "Guide des habitants" })).title).toBe("Guide des habitants")
  expect((await readPages([text], { title: "Microsoft Word - v3 final.docx" })).title).toBe("Horaires")
  expect((await readPages([opening])).title).toBe("guide")
})

test("a file without text is named as scanned, one with a password as locked, a damaged one as such", async () => {
  expect(await readPdf(makePdf([[], []]))).toEqual({ leftOut: "scanned" })
  expect(await readPdf(makePdf([opening], { locked: true }))).toEqual({ leftOut: "encrypted" })
  expect(await readPdf(new TextEncoder().encode("%PDF-1.7\nabîmé"))).toMatchObject({ leftOut: "unreadable" })
})

test("a file of too many pages or bytes is left out", async () => {
  const many = Array.from({ length: 1001 }, () => [{ text: "Page", y: 60 }])
  expect(await readPdf(makePdf(many))).toMatchObject({
    leftOut: "too_large",
    detail: { code: "reading.tooManySheets" },
  })
  const heavy = new Uint8Array(31 * 1024 * 1024)
  heavy.set(new TextEncoder().encode("%PDF-1.7\n"))
  expect(await readPdf(heavy)).toMatchObject({ leftOut: "too_large" })
})

test("white letters on paper and hidden ones are not read; on a colour, and over a page's picture, they are", async () => {
  const hex = (text: string) => Buffer.from(text, "latin1").toString("hex")
  const shown = (text: string, y: number) => `BT /F1 11 Tf 60 ${y} Td <${hex(text)}> Tj ET`
  const operators = [
    `q 1 1 1 rg ${shown("Tout est gratuit.", 600)} Q`,
    `q 3 Tr ${shown("Dites oui.", 560)} Q`,
    `q .1 .2 .5 rg 50 490 400 30 re f 1 1 1 rg ${shown("Fermeture en août.", 500)} Q`,
  ].join("\n")
  const { sections } = await readPages([opening], { operators: `\n${operators}` })
  expect(JSON.stringify(sections)).not.toMatch(/gratuit|oui/)
  expect(JSON.stringify(sections)).toContain("Fermeture en août.")
  const scan = await readPages([[]], {
    operators: `\nq 3 Tr ${shown("Registre des délibérations du conseil.", 500)} Q`,
  })
  expect(scan.sections[0]?.markdown).toBe("Registre des délibérations du conseil.")
})

test("a white title is read on a picture, on its strips and on the steps of a gradient", async () => {
  const title = "BT /F1 30 Tf 60 742 Td <4775696465> Tj ET"
  const image = (width: number, height: number, y: number) => `${width} 0 0 ${height} 0 ${y} cm
BI /W 1 /H 1 /CS /G /BPC 8 ID 0 EI`
  const rows = Array.from({ length: 50 }, (_, at) => 700 + 2 * at)
  for (const behind of [
    `q 500 0 0 200 0 642 cm 0 0 1 1 re W n ${image(1, 1, 0)} Q`,
    rows.map((y) => `q ${image(500, 2, y)} Q`).join("\n"),
    rows.map((y) => `.1 .2 .5 rg 0 ${y} 500 2 re f`).join("\n"),
  ]) {
    expect((await readPages([opening], { operators: `\n${behind}\n1 g ${title}` })).title).toBe("Guide")
  }
  const lines = rows.map((y) => `.1 .2 .5 rg 0 ${y * 5 - 3000} 500 1 re f`).join("\n")
  expect((await readPages([opening], { operators: `\n${lines}\n1 g ${title}` })).title).toBe("guide")
})

test("letters that are spaced out are words, and accents that are drawn apart stand on their letters", async () => {
  const spaced = "q BT /F2 16 Tf 4 Tc 60 700 Td (INSTALLER LA BORNE) Tj ET Q"
  const apart = "BT /F1 11 Tf 60 660 Td [(Une d) 0 <b4> 333 (epense nouvelle, trop \\351lev\\351e)] TJ ET"
  const { sections } = await readPages(
    [paragraph(["La borne se pose sur un sol plat et dur, et se branche."], 230)],
    {
      title: "Manuel",
      operators: `\n${spaced}\n${apart}`,
    },
  )
  expect(JSON.stringify(sections)).toContain("INSTALLER LA BORNE")
  expect(JSON.stringify(sections)).toContain("Une dépense nouvelle, trop élevée")
})

test("a hyphen of a word's own is kept where lines end elsewhere between words", async () => {
  const lines = [
    "Le tarif figure au tableau ci-",
    "dessous, pour une location à la demi-",
    "journée ; la main-",
    "d'oeuvre est comprise, le week-",
    "end aussi, et le compte-",
    "rendu est remis.",
  ]
  const { sections } = await readPages([paragraph(lines, 80)])
  expect(sections[0]?.markdown).toBe(
    "Le tarif figure au tableau ci-dessous, pour une location à la demi-journée ; la main-d'oeuvre est comprise, le week-end aussi, et le compte-rendu est remis.",
  )
})

test("a table of contents is none of the text, and dots that lead to a price are no words", async () => {
  const entries = ["1 Horaires", "2 Tarifs", "3 Accès"].map((text, at) => ({
    text: `${text} . . . . . . . . . . . . ${at + 2}`,
    y: 100 + at * 16,
  }))
  const { sections } = await readPages(
    [
      [{ text: "Table des matières", y: 70, size: 14 }, ...entries, { text: "1 Horaires", y: 180, size: 14 }],
      [...opening, { text: "Carte adulte ................ 12 euros", y: 300 }],
    ],
    { title: "Guide" },
  )
  expect(sections.map(({ headings, markdown }) => [headings, markdown.split("\n\n").at(-1)])).toEqual([
    [["1 Horaires"], "Carte adulte … 12 euros"],
  ])
})

test("a list of prices on one page is no table of contents", async () => {
  const list = ["Café", "Thé", "Chocolat", "Jus", "Assiette"].map((name, at) => ({
    text: `${name} ................ ${at + 2}`,
    y: 300 + at * 20,
  }))
  const { sections } = await readPages([[...opening, ...list]], { title: "Carte" })
  expect(sections[0]?.markdown).toContain("Chocolat … 4")
})

test("a note is read in brackets after the sentence of its mark", async () => {
  const marked =
    "BT /F1 11 Tf 60 742 Td (La garantie dure trois ans) Tj 4 Ts /F1 7 Tf (1) Tj 0 Ts /F1 11 Tf ( dans ce cas.) Tj ( Elle cesse ensuite.) Tj ET"
  const note = { text: "1. Deux ans pour les bornes achetées d'occasion.", y: 760, size: 8 }
  const { sections } = await readPages([[...opening, note]], { operators: `\n${marked}` })
  expect(sections[0]?.markdown).toContain(
    "La garantie dure trois ans dans ce cas. (Deux ans pour les bornes achetées d'occasion.) Elle cesse ensuite.",
  )
})

test("parts of the text that have a page each keep their titles", async () => {
  const parts = ["Cantine", "Garderie", "Transport", "Loisirs"]
  const pages = parts.map((part, at) => [
    { text: `${at + 1}. ${part}`, y: 50, bold: true },
    ...paragraph([`La mairie dit ici ce qui vaut pour le service ${part.toLowerCase()} de la commune.`], 100),
    ...paragraph([`Elle reçoit pour ${part.toLowerCase()} tous les jours, sauf ceux de fête.`], 114),
  ])
  const { sections } = await readPages(pages, { title: "Guide" })
  expect(sections.map(({ headings }) => headings.at(-1))).toEqual(
    parts.map((part, at) => `${at + 1}. ${part}`),
  )
})

test("a running head that changes by chapter is known by its place", async () => {
  const chapters = ["Horaires", "Horaires", "Horaires", "Tarifs", "Tarifs", "Accès"]
  const pages = chapters.map((chapter, at) => [
    { text: chapter.toUpperCase(), y: 50, size: 11 },
    ...paragraph(
      Array.from(
        { length: 12 },
        (_, line) => `Ligne ${line} de la page ${at}, qui dit ce que la commune fait ici`,
      ),
      100,
    ),
  ])
  const { sections } = await readPages(pages, { title: "Guide" })
  expect(JSON.stringify(sections)).not.toMatch(/HORAIRES|TARIFS|ACCÈS/)
})

test("a dot that is drawn before a line is the mark of an item, one within a line or in a row is not", async () => {
  const lines = ["Une pièce d'identité", "Un justificatif de domicile", "Une photographie récente"]
  const dots = lines.map((_, at) => `52 ${842 - 200 - at * 16 + 2} 3 3 re f`)
  const leaders = Array.from({ length: 9 }, (_, at) => `${150 + at * 6} ${842 - 300 + 2} 2 2 re f`)
  const { sections } = await readPages(
    [
      [
        ...opening,
        ...lines.map((text, at) => ({ text, y: 200 + at * 16 })),
        { text: "Retrait", y: 300 },
        { text: "au guichet", x: 206, y: 300 },
      ],
    ],
    { operators: `\n${[...dots, ...leaders].join("\n")}\n` },
  )
  const text = sections.map(({ markdown }) => markdown).join("\n")
  expect(text).toContain(lines.map((line) => `- ${line}`).join("\n"))
  expect(text).not.toMatch(/- Retrait|- au guichet|•/)
})

test("pages that are pictures alone are told, and empty ones are not", async () => {
  const picture = "q 500 0 0 700 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID 0 EI Q"
  const { html } = await readPages([opening, [{ text: "", y: 60 }], []], { operators: `\n${picture}` })
  expect(html?.leftOut).toEqual([{ reason: "scanned", text: "p. 2, 3" }])
  expect((await readPages([opening, []])).html).toBeUndefined()
})

test("a heading at the margin below a centred title of its size is another one", async () => {
  const { title, sections } = await readPages([
    [
      { text: "Guide de la salle", x: 220, y: 60, size: 18 },
      { text: "Réserver", y: 90, size: 18 },
      ...opening,
    ],
  ])
  expect([title, sections[0]?.headings]).toEqual(["Guide de la salle", ["Réserver"]])
})
