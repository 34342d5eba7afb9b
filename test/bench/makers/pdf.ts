import { asGroff, asHtml, asLatex, asTypst } from "./guide.ts"
import type { Maker } from "./maker.ts"

const tex = (program: string, fonts: string, name = program): Maker => ({
  name,
  program,
  version: [program, "--version"],
  input: ["guide.tex", asLatex(`${fonts}\\usepackage[french]{babel}`)],
  // Twice: the table of contents is written by the first run.
  commands: Array(2).fill([program, "-interaction=batchmode", "guide.tex"]),
  output: "guide.pdf",
})

const eightBits = "\\usepackage[utf8]{inputenc}\\usepackage{textcomp}"

export const pdfMakers: Maker[] = [
  {
    name: "Chromium",
    program: "chromium",
    version: ["chromium", "--version"],
    input: ["guide.html", asHtml()],
    commands: [
      [
        "chromium",
        ...[
          "--headless",
          "--no-sandbox",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
        ],
        "--print-to-pdf=guide.pdf",
        "guide.html",
      ],
    ],
    output: "guide.pdf",
  },
  {
    name: "LibreOffice Writer",
    program: "soffice",
    version: ["soffice", "--version"],
    input: ["guide.html", asHtml()],
    commands: [
      ["soffice", "--headless", "--infilter=HTML (StarWriter)", "--convert-to", "odt:writer8", "guide.html"],
      ["soffice", "--headless", "--convert-to", "pdf:writer_pdf_Export", "guide.odt"],
    ],
    output: "guide.pdf",
  },
  {
    name: "WeasyPrint",
    program: "weasyprint",
    version: ["weasyprint", "--version"],
    input: ["guide.html", asHtml()],
    commands: [["weasyprint", "guide.html", "guide.pdf"]],
    output: "guide.pdf",
  },
  {
    name: "wkhtmltopdf",
    program: "wkhtmltopdf",
    version: ["wkhtmltopdf", "--version"],
    input: ["guide.html", asHtml()],
    commands: [["wkhtmltopdf", "--quiet", "guide.html", "guide.pdf"]],
    output: "guide.pdf",
  },
  tex("pdflatex", `\\usepackage[T1]{fontenc}\\usepackage{lmodern}${eightBits}`, "pdfLaTeX, Latin Modern"),
  tex("pdflatex", eightBits, "pdfLaTeX, Computer Modern"),
  tex("pdflatex", `\\usepackage[T1]{fontenc}${eightBits}`, "pdfLaTeX, bitmap fonts"),
  tex("lualatex", "\\usepackage{fontspec}", "LuaLaTeX"),
  tex("xelatex", "\\usepackage{fontspec}", "XeLaTeX"),
  {
    name: "Typst",
    program: "typst",
    version: ["typst", "--version"],
    input: ["guide.typ", asTypst()],
    commands: [["typst", "compile", "guide.typ", "guide.pdf"]],
    output: "guide.pdf",
  },
  {
    name: "groff",
    program: "groff",
    version: ["groff", "--version"],
    input: ["guide.ms", asGroff()],
    commands: [["sh", "-c", "groff -k -t -ms -mfr -Tpdf guide.ms > guide.pdf"]],
    output: "guide.pdf",
  },
]
