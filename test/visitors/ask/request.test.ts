import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { answerable, origin, type Site } from "../../support/ask.ts"
import { aService } from "../../support/service-builder.ts"

// Specification, part 2 A1 and part 8: the fields of a question and their rules.

let site: Site
beforeAll(async () => {
  site = await aService().withSettings({ GUICHET_ASK_PER_MINUTE: "1000" }).withIndexedProject().started()
})
afterAll(() => site[Symbol.asyncDispose]())

const headers = { "content-type": "application/json", origin }
const sent = async (body: string, more: Record<string, string> = {}) =>
  site.send({ headers: { ...headers, ...more }, body })

/** Asks, and expects the error code and a French sentence that says which rule was broken. */
async function refused(fields: Record<string, unknown>, sentence: RegExp) {
  const { status, body } = await site.ask(fields)
  expect({ status, code: body.error?.code }).toEqual({ status: 400, code: "invalid_request" })
  expect(Object.keys(body)).toEqual(["error"])
  expect(Object.keys(body.error)).toEqual(["code", "message"])
  expect(body.error.message).toMatch(sentence)
}

async function taken(fields: Record<string, unknown>) {
  expect((await site.ask(fields)).status).toBe(200)
}

describe("project", () => {
  // A well-formed identifier that nobody has is 404, not 400.
  test.each([
    ["8 characters", "a".repeat(8)],
    ["64 characters", "a1".repeat(32)],
    ["digits only", "12345678"],
  ])("%s is within its rule", async (_, project) => {
    const { status, body } = await site.ask({ project })
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: "project_not_found" })
  })

  test.each([
    ["7 characters", "a".repeat(7)],
    ["65 characters", "a".repeat(65)],
    ["an upper-case letter", "Abcdefgh"],
    ["an accented letter", "éabcdefg"],
    ["a hyphen", "abcd-efg"],
    ["a final line break", "abcdefgh\n"],
    ["a space before", " abcdefgh"],
    ["a digit of another script", "abcdefg٣"],
    ["a number", 12345678],
    ["a list", ["abcdefgh"]],
    ["null", null],
    ["absent", undefined],
  ])("%s is refused", (_, project) => refused({ project }, /identifiant du projet.*8 à 64/))
})

describe("question", () => {
  test.each([
    ["2 characters", "ça"],
    ["1000 characters", "é".repeat(1000)],
    ["2 characters outside the basic plane", "😀😀"],
    ["1000 characters outside the basic plane", "😀".repeat(1000)],
    ["1000 characters after white space around them is removed", ` \n${"a".repeat(1000)}\t\u00a0 `],
    ["2 characters between ideographic and thin spaces", "\u3000\u202fça\u2009"],
    ["a character that cannot be stored as such", "quoi \ud800 ?"],
    ["a NUL inside", "quoi\u0000donc"],
  ])("%s is within its rule", (_, question) => taken({ question }))

  test.each([
    ["empty", ""],
    ["1 character", "a"],
    ["1 character outside the basic plane", "😀"],
    ["1 character between white space", " \u00a0a\n"],
    ["white space only", " \t\n\u00a0"],
  ])("%s is too short", (_, question) => refused({ question }, /trop courte.*2 caractères/))

  test.each([
    ["1001 characters", "a".repeat(1001)],
    ["1001 characters outside the basic plane", "😀".repeat(1001)],
  ])("%s is too long", (_, question) => refused({ question }, /trop longue.*1\u202f000 caractères/))

  test.each([
    ["a number", 42],
    ["true", true],
    ["a list", ["Comment faire ?"]],
    ["an object", { text: "Comment faire ?" }],
    ["null", null],
    ["absent", undefined],
  ])("%s is not a question", (_, question) => refused({ question }, /question manque ou n’est pas un texte/))

  test("is read without invisible characters and unusual blanks, which count in its length", async () => {
    const plain = await site.ask({ question: answerable })
    const copied = answerable.replaceAll(" ", "\u00a0").replace(/.{3}/gu, "$&\u00ad\u200b\u202a")
    const { status, body } = await site.ask({ question: copied })
    expect({ status, answer: body.answer }).toEqual({ status: 200, answer: plain.body.answer })
    await taken({ question: "\u00ad\u200b" })
    await taken({ question: "a\u200b".repeat(500) })
    await refused({ question: "a\u200b".repeat(501) }, /1[\s\u202f]000/)
    await refused({ question: "\u200b" }, /2 /)
  })

  test("is stored without the white space around it", async () => {
    const { body } = await site.ask({ question: "  \n Où est la clé ? \t" })
    const row = await site.service.app.db
      .selectFrom("answer")
      .select("question")
      .where("id", "=", body.id)
      .executeTakeFirstOrThrow()
    expect(row.question).toBe("Où est la clé ?")
  })
})

describe("page", () => {
  test.each([
    ["absent", undefined],
    ["/", "/"],
    ["512 characters", `/${"é".repeat(511)}`],
    ["512 characters outside the basic plane", `/${"😀".repeat(511)}`],
    ["with a query", "/guide?x=1#y"],
    ["with a broken escape", "/%zz"],
  ])("%s is within its rule", (_, page) => taken({ page }))

  test.each([
    ["empty", ""],
    ["without a slash", "guide"],
    ["an address", "https://docs.exemple.fr/guide"],
    ["a space before", " /guide"],
    ["a number", 1],
    ["null", null],
  ])("%s is refused", (_, page) => refused({ page }, /page.*commence par «\u00a0\/\u00a0»/))

  test("513 characters are refused", () => refused({ page: `/${"a".repeat(512)}` }, /512 caractères/))
})

describe("previous", () => {
  test.each([
    ["absent", undefined],
    ["an empty list", []],
    ["3 ids", ["ans_a", "ans_b", "ans_c"]],
    ["ids of any shape", ["", "'; drop table answer", "é".repeat(500)]],
  ])("%s is within its rule", (_, previous) => taken({ previous }))

  test("4 ids are refused", () => refused({ previous: ["a", "b", "c", "d"] }, /au plus 3/))

  test.each([
    ["a string", "ans_a"],
    ["a number in the list", ["ans_a", 1]],
    ["null in the list", [null]],
    ["an object", { 0: "ans_a" }],
    ["null", null],
  ])("%s is refused", (_, previous) => refused({ previous }, /liste d’identifiants/))
})

test("an unknown field is ignored", () => taken({ langue: "fr", __proto__: 1, constructor: { a: 1 } }))

describe("the body", () => {
  const padded = (bytes: number) => {
    const body = JSON.stringify({ project: site.project.id, question: answerable, padding: "" })
    return `${body.slice(0, -2)}${"x".repeat(bytes - Buffer.byteLength(body))}"}`
  }

  test("32,768 bytes are accepted", async () => {
    expect(Buffer.byteLength(padded(32_768))).toBe(32_768)
    expect((await sent(padded(32_768))).status).toBe(200)
  })

  test.each([32_769, 100_000, 3_000_000])("%d bytes are refused, with the error object", async (bytes) => {
    const { status, body } = await sent(padded(bytes))
    expect({ status, ...body.error }).toEqual({
      status: 400,
      code: "invalid_request",
      message: "La requête dépasse 32\u00a0Ko.",
    })
  })

  test("bytes count, not characters", async () => {
    const { body } = await sent(padded(32_768).replace("xx", "éé"))
    expect(body.error.message).toContain("32\u00a0Ko")
  })

  const chunked = (text: string) =>
    new ReadableStream<Uint8Array>({
      async start(controller) {
        for (let at = 0; at < text.length; at += 5000)
          controller.enqueue(new TextEncoder().encode(text.slice(at, at + 5000)))
        controller.close()
      },
    })

  test("32,768 bytes sent in chunks are accepted, 32,769 refused", async () => {
    expect((await site.send({ headers, body: chunked(padded(32_768)) })).status).toBe(200)
    const { status, body } = await site.send({ headers, body: chunked(padded(32_769)) })
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: "invalid_request" })
  })

  test.each([
    ["nothing", ""],
    ["half a body", '{"project":"abcdefgh"'],
    ["a list", "[]"],
    ["null", "null"],
    ["a string", '"question"'],
    ["a form", "project=abcdefgh&question=quoi"],
    ["deep nesting", "[".repeat(30_000)],
  ])("%s is unreadable", async (_, text) => {
    const { status, body } = await sent(text)
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: "invalid_request" })
    expect(body.error.message).toContain("illisible")
  })

  test("bytes that are not UTF-8 are unreadable", async () => {
    const text = JSON.stringify({ project: site.project.id, question: "Où est la clé ?" })
    const body = Buffer.from(text, "latin1")
    expect((await sent(text)).status).toBe(200)
    expect((await site.send({ headers, body })).body.error.message).toContain("illisible")
  })

  test.each([
    "text/plain",
    "text/plain; application/json",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "",
  ])("sent as %p is refused", async (type) => {
    const { status, body } = await sent(padded(200), { "content-type": type })
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: "invalid_request" })
    expect(body.error.message).toContain("au format JSON")
  })

  test.each(["application/json; charset=utf-8", "Application/JSON;charset=UTF-8", "application/json ; x=y"])(
    "sent as %p is accepted",
    async (type) => {
      expect((await sent(padded(200), { "content-type": type })).status).toBe(200)
    },
  )
})
