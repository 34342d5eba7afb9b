/** One guide that every maker writes, as blocks; a fact is lost where a reader's text does not hold it. */
export type Block =
  | { kind: "heading"; level: 1 | 2; text: string }
  | { kind: "text"; text: string; note?: string }
  | { kind: "list"; items: string[] }
  | { kind: "table"; rows: string[][] }

export const title = "Guide de la bibliothèque"

const tariffs = Array.from({ length: 60 }, (_, at) => [
  `Salle ${at + 1}`,
  `${at + 3} places`,
  `${at * 2 + 5} €`,
])

export const guide: Block[] = [
  { kind: "heading", level: 1, text: "S’inscrire à l’accueil" },
  {
    kind: "text",
    text: "L’inscription se fait à l’accueil, sur présentation d’une pièce d’identité et d’un justificatif de domicile ; elle est immédiate et gratuite pour les moins de dix-huit ans.",
  },
  {
    kind: "list",
    items: ["Une pièce d’identité", "Un justificatif de domicile", "Une photographie récente"],
  },
  { kind: "heading", level: 2, text: "Œuvres et prêt" },
  {
    kind: "text",
    text: "Le prêt des œuvres dure trois semaines. Il est renouvelé une fois, sauf si le document est réservé par une autre personne : « Noël » et les nouveautés ne sont prêtés qu’une semaine.",
    note: "Les périodiques du mois se consultent sur place.",
  },
  { kind: "heading", level: 1, text: "Salles à louer" },
  {
    kind: "text",
    text: "Les salles se louent à la demi-journée, au tarif ci-dessous, et la clé se retire au rez-de-chaussée, c’est-à-dire au bureau 12.",
  },
  { kind: "table", rows: [["Salle", "Capacité", "Tarif"], ...tariffs] },
  { kind: "heading", level: 1, text: "Horaires d’ouverture" },
  {
    kind: "text",
    text: "La bibliothèque ouvre du mardi au samedi, de neuf heures à dix-huit heures, et ferme la première semaine d’août. L’après-midi du jeudi est réservé aux écoles.",
  },
]

/** Texts that a reader has to find, each on one line. */
export const facts: { what: string; text: string }[] = [
  ...guide.flatMap((block) => {
    if (block.kind === "heading") return [{ what: "heading", text: `# ${block.text}` }]
    if (block.kind === "list") return block.items.map((text) => ({ what: "item", text: `- ${text}` }))
    if (block.kind === "table")
      return block.rows.map((row) => ({ what: "row", text: `| ${row.join(" | ")} |` }))
    const note = block.note ? [{ what: "note", text: `(${block.note})` }] : []
    return [...block.text.split(/(?<=\.) /).map((text) => ({ what: "sentence", text })), ...note]
  }),
]

export function asHtml(): string {
  const escaped = Bun.escapeHTML
  const body = guide.map((block) => {
    if (block.kind === "heading") return `<h${block.level + 1}>${escaped(block.text)}</h${block.level + 1}>`
    if (block.kind === "list")
      return `<ul>${block.items.map((item) => `<li>${escaped(item)}</li>`).join("")}</ul>`
    if (block.kind === "table")
      return `<table>${block.rows
        .map((row, at) => {
          const cells = row.map((cell) =>
            at === 0 ? `<th>${escaped(cell)}</th>` : `<td>${escaped(cell)}</td>`,
          )
          return at === 0 ? `<thead><tr>${cells.join("")}</tr></thead><tbody>` : `<tr>${cells.join("")}</tr>`
        })
        .join("")}</tbody></table>`
    return `<p>${escaped(block.text)}${block.note ? `<span class="note">${escaped(block.note)}</span>` : ""}</p>`
  })
  return `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>${title}</title><style>
@page { size: A5; margin: 20mm 18mm; @top-center { content: "${title}" } @bottom-center { content: "Page " counter(page) } }
body { font-family: "DejaVu Serif", serif; font-size: 10pt; text-align: justify; hyphens: auto }
h1 { font-size: 20pt } h2 { font-size: 15pt } h3 { font-size: 12pt } td, th { padding: 2px 8px } .note { float: footnote; font-size: 8pt }
</style></head><body><h1>${title}</h1>${body.join("\n")}</body></html>`
}

/** `fonts`: the lines of the preamble that choose them. */
export function asLatex(fonts: string): string {
  const escaped = (text: string) =>
    text
      .replace(/[&%_#]/g, "\\$&")
      .replaceAll("€", "\\EUR{}")
      .replaceAll("’", "'")
  const body = guide.map((block) => {
    if (block.kind === "heading") return `\\${block.level === 1 ? "" : "sub"}section{${escaped(block.text)}}`
    if (block.kind === "list")
      return `\\begin{itemize}${block.items.map((item) => `\\item ${escaped(item)}\n`).join("")}\\end{itemize}`
    if (block.kind === "table") {
      const rows = block.rows.map((row) => row.map(escaped).join(" & "))
      return `\\begin{longtable}{lll}\\hline ${rows[0]}\\\\\\hline\\endhead ${rows.slice(1).join("\\\\\n")}\\\\\\hline\\end{longtable}`
    }
    return `${escaped(block.text)}${block.note ? `\\footnote{${escaped(block.note)}}` : ""}\n`
  })
  return `\\documentclass[10pt,a5paper]{article}${fonts}\\usepackage{longtable}\\providecommand{\\EUR}{\\texteuro}
\\title{${title}}\\date{}\\begin{document}\\maketitle\\tableofcontents
${body.join("\n\n")}
\\end{document}
`
}

export function asTypst(): string {
  const escaped = (text: string) => text.replace(/[#*_[\]$@]/g, "\\$&")
  const body = guide.map((block) => {
    if (block.kind === "heading") return `${"=".repeat(block.level + 1)} ${escaped(block.text)}`
    if (block.kind === "list") return block.items.map((item) => `- ${escaped(item)}`).join("\n")
    if (block.kind === "table") {
      const cells = block.rows.map((row) => row.map((cell) => `[${escaped(cell)}]`).join(", "))
      return `#table(columns: 3, table.header(${cells[0]}), ${cells.slice(1).join(", ")})`
    }
    return `${escaped(block.text)}${block.note ? `#footnote[${escaped(block.note)}]` : ""}`
  })
  return `#set document(title: "${title}")\n#set page("a5", header: [${title}], footer: context [Page #counter(page).display()])
#set text(lang: "fr", size: 10pt)\n#set par(justify: true)\n= ${title}\n\n${body.join("\n\n")}\n`
}

export function asGroff(): string {
  const escaped = (text: string) => text.replaceAll("\\", "\\e").replace(/^[.']/gm, "\\&$&")
  const body = guide.map((block) => {
    if (block.kind === "heading") return `.SH ${block.level}\n${escaped(block.text)}`
    if (block.kind === "list") return block.items.map((item) => `.IP \\(bu 3\n${escaped(item)}`).join("\n")
    if (block.kind === "table")
      return `.TS H\nl l l.\n${block.rows[0]?.join("\t")}\n.TH\n${block.rows
        .slice(1)
        .map((row) => row.join("\t"))
        .join("\n")}\n.TE`
    return `.LP\n${escaped(block.text)}${block.note ? `\\**\n.FS\n${escaped(block.note)}\n.FE` : ""}`
  })
  return `.TL\n${title}\n${body.join("\n")}\n`
}

export function asMarkdown(): string {
  const body = guide.map((block) => {
    if (block.kind === "heading") return `${"#".repeat(block.level)} ${block.text}`
    if (block.kind === "list") return block.items.map((item) => `- ${item}`).join("\n")
    if (block.kind === "table")
      return block.rows
        .map((row, at) => `| ${row.join(" | ")} |${at === 0 ? "\n| --- | --- | --- |" : ""}`)
        .join("\n")
    return `${block.text}${block.note ? `^[${block.note}]` : ""}`
  })
  return `---\ntitle: ${title}\nlang: fr\n---\n\n${body.join("\n\n")}\n`
}
