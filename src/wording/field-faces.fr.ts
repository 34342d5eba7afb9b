import type { Language } from "../accounts/project.ts"
import type { FieldType } from "../forms/definition/field-types.ts"
import type { FileKind } from "../forms/files/file-kind.ts"
import type { Cell } from "../http/table.ts"

/** How a type of field is shown, by every face. `forms/definition/field-types.ts` says what it takes. */
interface FieldFace {
  name: string
  /** The HTML that visitors see; an `input` is of the type with the same name. */
  control: "input" | "textarea" | "select" | "box" | "radios" | "boxes" | "files" | "hidden" | "text" | "page"
  attributes?: object
  /** Told to the visitor whose text is nothing of this type. */
  wrong?(language: Language): string
  /** Rank among the types by one of which a list sums a response up. What is not written in words has its label. */
  summary?: { rank: number; isLabelled?: true }
  /** In a table of responses; text if absent. */
  cell?(value: string): Cell
}

export const exampleOfDate: Record<Language, string> = { fr: "20/11/2026", en: "2026-11-20" }

export const fieldFaces: Record<FieldType, FieldFace> = {
  text: { name: "texte court", control: "input", summary: { rank: 2 } },
  textarea: { name: "texte long", control: "textarea", summary: { rank: 1 } },
  email: {
    name: "adresse e-mail",
    control: "input",
    wrong: () => "Indiquez une adresse e-mail complète, par exemple nom@exemple.fr.",
  },
  tel: {
    name: "téléphone",
    control: "input",
    wrong: () => "Indiquez un numéro de téléphone, par exemple 01 23 45 67 89.",
    summary: { rank: 8, isLabelled: true },
  },
  url: {
    name: "lien (URL)",
    control: "input",
    wrong: () => "Indiquez un lien complet, par exemple https://www.exemple.fr.",
    summary: { rank: 6 },
  },
  number: {
    name: "nombre",
    control: "input",
    attributes: { step: "any" },
    wrong: (language) =>
      `Indiquez un nombre en chiffres, par exemple 12 ou ${language === "fr" ? "12,5" : "12.5"}.`,
    summary: { rank: 9, isLabelled: true },
    cell: (value) => ({ number: value }),
  },
  date: {
    name: "date",
    control: "input",
    wrong: (language) => `Indiquez une date qui existe, par exemple ${exampleOfDate[language]}.`,
    summary: { rank: 7, isLabelled: true },
    cell: (value) => ({ day: value }),
  },
  select: { name: "liste déroulante", control: "select", summary: { rank: 3 } },
  radio: { name: "choix unique", control: "radios", summary: { rank: 4 } },
  checkbox: { name: "case à cocher", control: "box" },
  checkboxes: { name: "choix multiple", control: "boxes", summary: { rank: 5 } },
  file: { name: "fichier", control: "files", summary: { rank: 10, isLabelled: true } },
  hidden: { name: "valeur cachée", control: "hidden" },
  page: { name: "nouvelle étape", control: "page" },
  paragraph: { name: "texte à lire", control: "text" },
}

/** How kinds of files are named, by every face. */
export const fileKindNames: Record<FileKind, string> = {
  pdf: "PDF",
  image: "image (JPEG, PNG, HEIC…)",
  document: "document (Word, LibreOffice)",
  sheet: "tableur (Excel, LibreOffice)",
  slides: "présentation (PowerPoint, LibreOffice)",
  text: "texte ou CSV",
  audio: "son",
  video: "vidéo",
  archive: "archive ZIP",
}
