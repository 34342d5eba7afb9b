import { describe, expect, test } from "bun:test"
import { cleanFileName } from "../../src/forms/files/file-name.ts"
import { type FileHazard, judgeFile } from "../../src/forms/files/judge-file.ts"
import { compoundFile, contents, zipped } from "../support/files.ts"

const pdf = { endings: ["pdf"] } as const

describe("a file is what its content says", () => {
  const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
  const excel = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
  const openText = "application/vnd.oasis.opendocument.text"
  const told: [what: string, content: Uint8Array, mediaType: string | undefined][] = [
    ["a PDF", contents.pdf, "application/pdf"],
    [
      "a PDF behind lines of a printer",
      latin1(`\x1b%-12345X@PJL\r\n${" ".repeat(900)}`, contents.pdf),
      "application/pdf",
    ],
    ["a PDF behind a mark of UTF-8", latin1("\xef\xbb\xbf", contents.pdf), "application/pdf"],
    ["a PDF of which the sign stands too far behind", latin1("\x1b".repeat(1024), contents.pdf), undefined],
    ["a text about the sign of a PDF", Buffer.from("Un PDF commence par %PDF-1.7."), "text/plain"],
    ["an image", contents.png, "image/png"],
    ["an AVIF", latin1("\0\0\0\x20ftypavif\0\0\0\0avifmif1miafMA1B"), "image/avif"],
    [
      "an AVIF that says so further behind",
      latin1("\0\0\0\x20ftypmif1\0\0\0\0mif1avifmiafMA1B"),
      "image/avif",
    ],
    ["a HEIC that says so further behind", latin1("\0\0\0\x18ftypmif1\0\0\0\0mif1heicavif"), "image/heic"],
    ["a BMP", latin1("BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", Buffer.alloc(52)), "image/bmp"],
    ["a text that begins as a BMP", Buffer.from("BMW, clé 4(8)"), "text/plain"],
    ["an AMR", latin1("#!AMR\n\x3c\x55"), "audio/amr"],
    ["a wideband AMR", latin1("#!AMR-WB\n\x3c\x55"), "audio/amr"],
    ["an AAC", latin1("\xff\xf1\x50\x80\x2f\xfc\0\0"), "audio/aac"],
    ["an MP3 of half the rate", latin1("\xff\xe3\x18\xc4\0\0"), "audio/mpeg"],
    ["a film of an older phone", media("3gp4", "vide", "soun"), "video/3gpp"],
    ["a voice memo of an older phone", media("3gp4", "soun"), "audio/3gpp"],
    ["a film", media("isom", "vide", "soun"), "video/mp4"],
    ["a voice memo", media("mp42", "soun"), "audio/mp4"],
    ["a film of a browser", latin1("\x1a\x45\xdf\xa3\x9fwebm\x86\x85V_VP8\x86\x86A_OPUS"), "video/webm"],
    ["a voice memo of a browser", latin1("\x1a\x45\xdf\xa3\x9fwebm\x86\x86A_OPUS"), "audio/webm"],
    ["a text", contents.text, "text/plain"],
    ["a text in the code page of an older Excel", latin1("nom;Zo\xe9"), "text/plain"],
    ["a text in UTF-16", Buffer.from("\ufeffnom\tZoé\r\n", "utf16le"), "text/plain"],
    [
      "a text in UTF-16 of the other order",
      Buffer.from("\ufeffnom\tZoé\r\n", "utf16le").swap16(),
      "text/plain",
    ],
    ["numbers behind the mark of UTF-16", latin1("\xff\xfe\0\0\x07\0"), undefined],
    ["a page, which is a text", Buffer.from("<!doctype html><script>alert(1)</script>"), "text/plain"],
    ["a drawing with a script, which is a text", Buffer.from("<svg onload='alert(1)'/>"), "text/plain"],
    ["a document of Word", contents.docx, word],
    ["a table of Excel", contents.xlsx, excel],
    ["a document of LibreOffice", contents.odt, openText],
    ["an archive", contents.zip, "application/zip"],
    ["a program of Windows", contents.exe, undefined],
    ["a program of Linux", latin1("\x7fELF\x02\x01\x01\0"), undefined],
    ["a script with a document behind it", latin1("#!/bin/sh\n", contents.pdf), "text/plain"],
    ["an archive that was cut", contents.zip.subarray(0, 40), undefined],
    ["an archive that claims more than it has", claimingEntries(0xfffe), undefined],
    ["a program behind the sign of an archive", latin1("PK\x03\x04MZ\x90\0"), undefined],
    ["an installer of Windows", compoundFile({ Property: "" }), undefined],
    ["a document of an older Word", compoundFile({ WordDocument: "" }), "application/msword"],
    ["one with a table in it", compoundFile({ "_1/Workbook": "", WordDocument: "" }), "application/msword"],
    [
      "a table with a document in it",
      compoundFile({ "_1/WordDocument": "", Workbook: "" }),
      "application/vnd.ms-excel",
    ],
    ["a table of Excel 95", compoundFile({ Book: "" }), "application/vnd.ms-excel"],
    [
      "slides of an older PowerPoint",
      compoundFile({ "PowerPoint Document": "" }),
      "application/vnd.ms-powerpoint",
    ],
    [
      "the sign of an older document, and nothing",
      compoundFile({ WordDocument: "" }).subarray(0, 600),
      undefined,
    ],
    ["a program with a sign of a PDF further behind", Buffer.concat([contents.exe, contents.pdf]), undefined],
  ]
  test.each(told)("%s", (_, content, mediaType) => {
    expect([judgeFile(content).type?.mediaType, judgeFile(content).hazard]).toEqual([mediaType, undefined])
  })

  const sheet = (kind: number) => `\x85\0\x09\0\0\0\0\0\0${String.fromCharCode(kind)}\x01\0A`
  const end = "\x0a\0\0\0"
  const types = (text: string) =>
    zipped({ "[Content_Types].xml": text, "xl/workbook.xml": "", "xl/a.bin": "" })
  const hazards: [what: string, content: Uint8Array, hazard: FileHazard | undefined][] = [
    ["a document of Word with macros", contents.docm, "macros"],
    [
      "one whose macros have another name",
      types("<Override ContentType='application/vnd.ms-office.vbaProject'/>"),
      "macros",
    ],
    [
      "one that hides what its parts are",
      types("<Override ContentType='application/vnd.ms-office.v&#98;aProject'/>"),
      "macros",
    ],
    ["one that says so in UTF-16", types("m\0a\0c\0r\0o\0E\0n\0a\0b\0l\0e\0d\0"), "macros"],
    [
      "a table with sheets of macros",
      zipped({ "[Content_Types].xml": "<Types/>", "xl/workbook.xml": "", "xl/macrosheets/sheet1.xml": "" }),
      "macros",
    ],
    [
      "a document of LibreOffice with macros",
      zipped({ mimetype: openText, "Basic/Standard/Module1.xml": "" }),
      "macros",
    ],
    ["one with a program", zipped({ mimetype: openText, "Scripts/python/a.py": "" }), "macros"],
    [
      "one with empty folders for them",
      zipped({ mimetype: openText, "Basic/": "", "Scripts/": "" }),
      undefined,
    ],
    ["one under a password as a whole", zipped({ mimetype: openText, "encrypted-package": "" }), "password"],
    [
      "a document of an older Word with macros",
      compoundFile({ WordDocument: "", "Macros/VBA/_VBA_PROJECT": "" }),
      "macros",
    ],
    [
      "one that writes their name otherwise",
      compoundFile({ WordDocument: "", "Macros/vba/_vba_Project": "" }),
      "macros",
    ],
    [
      "one that only speaks of them",
      compoundFile({ WordDocument: "_\0V\0B\0A\0_\0P\0R\0O\0J\0E\0C\0T\0" }),
      undefined,
    ],
    ["a table of an older Excel", compoundFile({ Workbook: sheet(0) + end + sheet(1) }), undefined],
    [
      "one with macros",
      compoundFile({ Workbook: sheet(0) + end, "_VBA_PROJECT_CUR/VBA/_VBA_PROJECT": "" }),
      "macros",
    ],
    ["one with a sheet of macros", compoundFile({ Workbook: sheet(0) + sheet(1) + end }), "macros"],
    ["one with a module of Excel 5", compoundFile({ Book: sheet(6) + end }), "macros"],
    ["one under a password", compoundFile({ Workbook: `\x2f\0\x02\0\0\0${sheet(1)}` }), "password"],
    [
      "slides of an older PowerPoint with macros",
      compoundFile({
        "PowerPoint Document": "\x1f\0\xff\x03\x14\0\0\0\x02\0\0\x04\x0c\0\0\0\0\0\0\0\x01\0\0\0",
      }),
      "macros",
    ],
    [
      "a document of the newer Office under a password",
      compoundFile({ EncryptionInfo: "", EncryptedPackage: "" }),
      "password",
    ],
  ]
  test.each(hazards)("%s", (_, content, hazard) => {
    expect(judgeFile(content).hazard).toBe(hazard)
  })

  test("a document of older offices whose tables lead in circles or nowhere is of no type, soon", () => {
    const whole = compoundFile({ WordDocument: "" })
    const places = [30, 44, 48, 60, 64, 68, 72, 76, 512, 516, 520]
    for (const at of places)
      for (const value of [0, 1, 2, 0x7fffffff, 0xffffffff]) {
        const broken = Buffer.concat([whole, Buffer.alloc(1024 ** 2)])
        broken.writeUInt32LE(value, at)
        const { hazard } = judgeFile(broken)
        expect(hazard).toBeUndefined()
      }
  })
})

/** A film or a memo, by what its tracks hold. */
function media(brand: string, ...handlers: string[]): Buffer {
  const tracks = handlers.map((handler) => `\0\0\0\x20hdlr${"\0".repeat(8)}${handler}`)
  return latin1(`\0\0\0\x10ftyp${brand}\0\0\0\0${tracks.join("")}`)
}

function latin1(text: string, ...more: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(text, "latin1"), ...more])
}

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
