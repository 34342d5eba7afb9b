import { describe, expect, test } from "bun:test"
import { typeOfContent } from "../../src/forms/files/file-kind.ts"
import { cleanFileName } from "../../src/forms/files/file-name.ts"
import { contents } from "../support/files.ts"

const pdf = { endings: ["pdf"] } as const

describe("a file is what its content says", () => {
  const told: [what: string, content: Uint8Array, mediaType: string | undefined][] = [
    ["a PDF", contents.pdf, "application/pdf"],
    ["an image", contents.png, "image/png"],
    ["a text", contents.text, "text/plain"],
    ["a text in the code page of an older Excel", Buffer.from("nom;Zo\xe9", "latin1"), "text/plain"],
    ["a page, which is a text", Buffer.from("<!doctype html><script>alert(1)</script>"), "text/plain"],
    ["a drawing with a script, which is a text", Buffer.from("<svg onload='alert(1)'/>"), "text/plain"],
    [
      "a document of Word",
      contents.docx,
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ],
    ["a table of Excel", contents.xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    ["a document of LibreOffice", contents.odt, "application/vnd.oasis.opendocument.text"],
    ["an archive", contents.zip, "application/zip"],
    ["a document with macros", contents.docm, undefined],
    ["a program of Windows", contents.exe, undefined],
    ["a program of Linux", Buffer.from("\x7fELF\x02\x01\x01\0", "latin1"), undefined],
    ["an archive that was cut", contents.zip.subarray(0, 40), undefined],
    ["an archive that claims more than it has", claimingEntries(0xfffe), undefined],
    ["a program behind the sign of an archive", Buffer.from("PK\x03\x04MZ\x90\0", "latin1"), undefined],
    ["an installer of Windows", compound("Property"), undefined],
    ["a document of an older Word", compound("WordDocument"), "application/msword"],
    ["a sign of a PDF that does not begin it", Buffer.concat([contents.exe, contents.pdf]), undefined],
  ]
  test.each(told)("%s", (_, content, mediaType) => {
    expect(typeOfContent(content)?.mediaType).toBe(mediaType)
  })
})

describe("a file is called so that every system can keep it", () => {
  const named: [name: string, kept: string][] = [
    ["CV Zoé.pdf", "CV Zoé.pdf"],
    ["CV.PDF", "CV.pdf"],
    ["../../etc/passwd", "passwd.pdf"],
    ["C:\\Users\\zoe\\cv.pdf", "cv.pdf"],
    ["cv.pdf.exe", "cv.pdf.exe.pdf"],
    ["photo\u202efdp.exe", "photofdp.exe.pdf"],
    ["cv\0.pdf", "cv.pdf"],
    ["cv\r\nContent-Type: text.pdf", "cvContent-Type text.pdf"],
    ["a\u200bb.pdf", "ab.pdf"],
    ['"><script>.pdf', "script.pdf"],
    [".htaccess", "htaccess.pdf"],
    ["CON.pdf", "_CON.pdf"],
    ["  .  ", "fichier.pdf"],
    ["", "fichier.pdf"],
    ["…/…", "….pdf"],
    [`${"é".repeat(5000)}.pdf`, `${"é".repeat(100)}.pdf`],
    [`${"e\u0301".repeat(2000)}.pdf`, `${"é".repeat(100)}.pdf`],
  ]
  test.each(named)("%j", (name, kept) => {
    expect(cleanFileName(name, pdf)).toBe(kept)
  })
})

/** An archive whose directory names a number of entries that are not there. */
function claimingEntries(count: number): Buffer {
  const changed = Buffer.from(contents.zip)
  const end = changed.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"))
  changed.writeUInt16LE(count, end + 8)
  changed.writeUInt16LE(count, end + 10)
  return changed
}

/** Of the make of older offices, with a stream of this name. */
function compound(stream: string): Buffer {
  const sign = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  return Buffer.concat([sign, Buffer.alloc(512), Buffer.from(stream, "utf16le"), Buffer.alloc(64)])
}
