import { afterAll, beforeAll, expect, test } from "bun:test"
import { once } from "node:events"
import { connect } from "node:net"
import { setImmediate } from "node:timers/promises"
import { readMultipartBody } from "../../../src/http/files/multipart.ts"
import { openRooms, type Room } from "../../../src/http/files/room.ts"
import { contents, filledIn } from "../../support/files.ts"
import { type FormSite, type MadeForm, recordedMessages, site } from "../../support/forms.ts"
import { aService } from "../../support/service-builder.ts"

let forms: FormSite
let form: MadeForm

beforeAll(async () => {
  forms = await aService().withOverrides({ messageQueue: recordedMessages() }).withForms().started()
  form = await forms.form({
    name: "Dossier",
    fields: [
      { name: "nom", label: "Nom", type: "text" },
      { name: "pieces", label: "Pièces", type: "file", files: 10 },
      { name: "plans", label: "Plans", type: "file", files: 10 },
      { name: "photos", label: "Photos", type: "file", files: 10 },
    ],
  })
})
afterAll(() => forms[Symbol.asyncDispose]())

const type = { origin: site, "content-type": "multipart/form-data; boundary=b" }
const pdf = contents.pdf.toString("latin1")
const filePart = (name: string, fileName: string, headers = "") =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"${headers}\r\n\r\n${pdf}\r\n`
const body = (...parts: string[]) => Buffer.from(`${parts.join("")}--b--\r\n`, "latin1")
const kept = () => forms.app.db.selectFrom("stored_file").select("id").execute()

const refused: [what: string, body: Buffer][] = [
  ["10,000 files", body(...Array.from({ length: 10_000 }, (_, at) => filePart("pieces", `${at}.pdf`)))],
  [
    "10,000 fields with a file each",
    body(...Array.from({ length: 10_000 }, (_, at) => filePart(`f${at}`, "a.pdf"))),
  ],
  [
    "more files than a post may have, in fields of which none has too many",
    body(...["pieces", "plans", "photos"].flatMap((name) => Array(7).fill(filePart(name, "a.pdf")))),
  ],
  [
    "30,000 parts",
    body(...Array(30_000).fill('--b\r\nContent-Disposition: form-data; name="nom"\r\n\r\nx\r\n')),
  ],
  ["headers of three kilobytes", body(filePart("pieces", "a.pdf", "\r\nX: y".repeat(600)))],
  [
    "headers of half a megabyte together",
    body(...Array(600).fill(filePart("pieces", "a.pdf", `\r\nX-Long: ${"y".repeat(1000)}`))),
  ],
  ["20,000 lines that begin like the boundary", body(`--b\r\n${"--bb\r\n".repeat(20_000)}`)],
  ["headers without an end", body(`--b\r\n${"x: y\r\n".repeat(200_000)}`)],
  ["a megabyte of line feeds in place of headers", body(`--b\r\n${"\n".repeat(1_000_000)}`)],
  ["a header of a megabyte", body(filePart("pieces", `${"a".repeat(1_000_000)}.pdf`))],
  [
    "two megabytes of text beside",
    body(`--b\r\nContent-Disposition: form-data; name="nom"\r\n\r\n${"x".repeat(2_000_000)}\r\n`),
  ],
  ["a file in base64", body(filePart("pieces", "a.pdf", "\r\nContent-Transfer-Encoding: base64"))],
  ["no end", Buffer.from(filePart("pieces", "a.pdf"), "latin1")],
]
for (const [what, sent] of refused)
  test(`refused as a whole: ${what}`, async () => {
    const reply = await form.send({ headers: type, body: sent as BodyInit })
    expect(reply).toMatchObject({ status: 400, body: { error: { message: expect.any(String) } } })
    expect([await kept(), await form.responses()]).toEqual([[], []])
  })

test("the longest file name that a system takes is taken, written twice as some clients do", async () => {
  const name = `${"é".repeat(125)}.pdf`
  const encoded = `; filename*=UTF-8''${encodeURIComponent(name)}`
  const sent = await form.send({
    headers: type,
    body: body(filePart("pieces", `${Buffer.from(name).toString("latin1")}"${encoded}; x="`)) as BodyInit,
  })
  expect(sent.body.error).toBeUndefined()
  const [response] = await form.responses()
  expect(response.files.map(({ name }: { name: string }) => name)).toEqual([
    expect.stringMatching(/^é+\.pdf$/),
  ])
  await forms.api.delete(`/api/v1/forms/${form.id}/responses/${response.id}`)
})

test("a body of many parts is read in portions, between which others are served", async () => {
  const parts = body(...Array(9000).fill('--b\r\nContent-Disposition: form-data; name="n"\r\n\r\nx\r\n'))
  const read = readMultipartBody(parts, type["content-type"], 10_000)
  let turns = 0
  for (let isRead = false; !isRead; turns++)
    isRead = await Promise.race([read.then(() => true), setImmediate(false)])
  expect(turns).toBeGreaterThan(10)
  expect(await read).toMatchObject({ parts: { length: 9000 }, files: [] })
})

test("a name with a folder, a line end or a header in it is a name", async () => {
  const names = [
    "../../etc/cron.d/x.pdf",
    "..%2f..%2fx.pdf",
    "a%22; name=%22nom.pdf",
    'x.pdf\\"; filename=\\"y.exe',
    `${Buffer.from("😀".repeat(100)).toString("latin1")}.pdf`,
  ]
  const sent = await form.send({
    headers: type,
    body: body(...names.map((name) => filePart("pieces", name))) as BodyInit,
  })
  expect(sent.body.error).toBeUndefined()
  const [response] = await form.responses()
  expect(response.files.map(({ name }: { name: string }) => name)).toEqual([
    "x.pdf",
    "%2f..%2fx.pdf",
    "a; name=nom.pdf",
    "x.pdf; filename=y.exe.pdf",
    // No system takes more than 255 bytes.
    `${"😀".repeat(50)}.pdf`,
  ])
  await forms.api.delete(`/api/v1/forms/${form.id}/responses/${response.id}`)
})

test("who breaks off in the middle leaves nothing, and takes no room from others", async () => {
  const { port } = new URL(forms.url)
  for (let at = 0; at < 8; at++) {
    const socket = connect(Number(port), "127.0.0.1")
    const head = `POST /f/${form.publicId} HTTP/1.1\r\nHost: guichet.exemple.fr\r\nOrigin: ${site}\r\nContent-Type: ${type["content-type"]}\r\nContent-Length: 24000000\r\n\r\n`
    socket.write(head)
    // More than any two of them may leave behind.
    socket.write(Buffer.alloc(20_000_000))
    await once(socket, "drain")
    socket.destroy()
    await once(socket, "close")
  }
  const sent = await form.send({
    headers: { origin: site },
    body: filledIn({}, ["pieces", "a.pdf", contents.pdf]),
  })
  expect([sent.status, (await kept()).length]).toEqual([201, 1])
})

test("a body that is longer than it says ends where it said", async () => {
  const whole = body(filePart("pieces", "b.pdf"))
  const { port } = new URL(forms.url)
  const socket = connect(Number(port), "127.0.0.1")
  const before = (await kept()).length
  socket.write(
    Buffer.concat([
      Buffer.from(
        `POST /f/${form.publicId} HTTP/1.1\r\nHost: guichet.exemple.fr\r\nOrigin: ${site}\r\nContent-Type: ${type["content-type"]}\r\nContent-Length: 40\r\nConnection: close\r\n\r\n`,
      ),
      whole,
    ]),
  )
  const reply = Buffer.concat(await Array.fromAsync(socket)).toString()
  expect(reply).toStartWith("HTTP/1.1 400")
  expect((await kept()).length).toBe(before)
})

const megabyte = 1024 ** 2

/** Posts at a time that the test sets. The first megabyte of each takes no room. */
function roomsAt(at: { ms: number }) {
  const roomOfPost = openRooms(() => at.ms)
  return (senders: Record<string, number>, megabytes: number) => {
    const room = roomOfPost(senders)
    at.ms += 1
    room.take((megabytes + 1) * megabyte)
    return room
  }
}

test("bodies in memory have room together, of which each sender has a part, and which comes back", () => {
  const post = roomsAt({ ms: 0 })
  {
    using one = post({ ann: 100 }, 100)
    one.keep()
    expect(() => one.take(1)).toThrow("forms.filesUnderWay")
    using other = post({ bob: 100 }, 28)
    expect(() => other.take(1)).toThrow("forms.filesUnderWay")
    expect([one.signal.aborted, other.signal.aborted]).toEqual([false, false])
  }
  using later = post({ ann: 128 }, 128)
  expect(() => later.take(1)).toThrow("forms.filesUnderWay")
})

test("where room is short the slowest body gives way to one that arrives twice as fast, and to no other", () => {
  const at = { ms: 0 }
  const post = roomsAt(at)
  using stored = post({ ann: 96 }, 40)
  stored.keep()
  using stalled = post({ ann: 96 }, 40)
  using trickling = post({ bob: 96 }, 40)
  at.ms += 20_000
  trickling.take(10_000)
  using phone = post({ eve: 96 }, 0)
  using another = post({ eve: 96 }, 0)
  const gaveWay = () => [stored, stalled, trickling, phone, another].map(({ signal }) => signal.aborted)
  const arrive = (seconds: number, ...rooms: Room[]) => {
    for (let second = 0; second < seconds; second++) {
      at.ms += 1000
      for (const room of rooms) room.take(megabyte / 2)
    }
  }
  arrive(14, phone)
  expect(gaveWay()).toEqual([false, false, false, false, false])
  arrive(2, phone)
  expect(gaveWay()).toEqual([false, true, false, false, false])
  expect(() => stalled.take(1)).toThrow("forms.filesUnderWay")
  expect(() => arrive(200, phone, another)).toThrow("forms.filesUnderWay")
  expect(gaveWay()).toEqual([false, true, true, false, false])
})

test("a slow body that holds no room is not broken off, since that would give none", () => {
  const at = { ms: 0 }
  const post = roomsAt(at)
  using stalled = post({ ann: 96 }, 90)
  using small = post({ ann: 96 }, 0)
  at.ms += 20_000
  using swift = post({ ann: 96 }, 20)
  expect([stalled, small, swift].map(({ signal }) => signal.aborted)).toEqual([true, false, false])
})

test("slow uploads from several addresses give their room to who sends, and are told", async () => {
  const { port } = new URL(forms.url)
  const head = (address: string) =>
    `POST /f/${form.publicId} HTTP/1.1\r\nHost: guichet.exemple.fr\r\nOrigin: ${site}\r\nX-Forwarded-For: ${address}\r\nContent-Type: ${type["content-type"]}\r\nContent-Length: 26000000\r\n\r\n`
  // 96 MB for the workspace, of which these take nearly all.
  const sockets = Array.from({ length: 4 }, () => connect(Number(port), "127.0.0.1"))
  for (const [at, socket] of sockets.entries()) {
    socket.write(head(`203.0.113.${10 + (at % 2)}`))
    socket.write(Buffer.alloc(25_000_000))
    await once(socket, "drain")
  }
  const told = Promise.any(sockets.map((socket) => once(socket, "data")))
  const large = Buffer.concat([contents.pdf, Buffer.alloc(9_000_000)])
  const sent = await form.send({
    headers: { origin: site, "x-forwarded-for": "203.0.113.20" },
    body: filledIn({}, ["pieces", "a.pdf", large], ["plans", "b.pdf", large]),
  })
  expect([sent.status, sent.body.error]).toEqual([201, undefined])
  expect(String(await told)).toMatch(/^HTTP\/1.1 503 [\s\S]+retry-after: 60/i)
  for (const socket of sockets) socket.destroy()
})

test("a visitor whose posts never end keeps no other from theirs", async () => {
  const { port } = new URL(forms.url)
  const head = (address: string) =>
    `POST /f/${form.publicId} HTTP/1.1\r\nHost: guichet.exemple.fr\r\nOrigin: ${site}\r\nX-Forwarded-For: ${address}\r\nContent-Type: ${type["content-type"]}\r\nContent-Length: 26000000\r\n\r\n`
  const sockets = Array.from({ length: 6 }, () => connect(Number(port), "127.0.0.1"))
  for (const socket of sockets) {
    socket.write(head("203.0.113.1"))
    socket.write(Buffer.alloc(25_000_000))
  }
  // One of six is refused where they share all room, four where each visitor has a part.
  await Promise.any(sockets.map((socket) => once(socket, "data")))
  const large = Buffer.concat([contents.pdf, Buffer.alloc(9_000_000)])
  const sent = await form.send({
    headers: { origin: site, "x-forwarded-for": "203.0.113.2" },
    body: filledIn({}, ["pieces", "a.pdf", large], ["plans", "b.pdf", large]),
  })
  for (const socket of sockets) socket.destroy()
  expect(sent.body.error).toBeUndefined()
  expect(sent.status).toBe(201)
})
