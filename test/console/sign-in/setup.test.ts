import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setUpFirstOperator } from "../../../src/accounts/first-operator.ts"
import { listMembers } from "../../../src/accounts/operator.ts"
import { newSetupLink } from "../../../src/accounts/setup-link.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { minuteMs } from "../../../src/base/clock.ts"
import { readConfig } from "../../../src/config/config.ts"
import { guichet } from "../../support/cli.ts"
import { movableClock } from "../../support/clock.ts"
import { consoleClient, password } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const clock = movableClock()
let service: Service

beforeAll(async () => {
  service = await aService().withClock(clock).started()
})
afterAll(() => service[Symbol.asyncDispose]())

const newLink = async (of = service) =>
  new URL((await newSetupLink({ db: of.app.db, publicUrl: of.url }, of.app.clock.now())) as string).pathname

const members = async (of = service) => listMembers(of.app.db, await defaultWorkspaceId(of.app.db))

test("the sign-in page of an empty service says that there is no password, and how to make the first account", async () => {
  const { status, text } = await consoleClient(service).get("/console/sign-in")
  expect(status).toBe(200)
  expect(text).toContain("ni compte ni mot de passe par défaut")
  expect(text).toContain("guichet setup-link")
  expect(text).toContain("guichet operator create")
})

test("a link is good for thirty minutes, and is kept as a hash", async () => {
  const link = await newLink()
  clock.move(30 * minuteMs - 1)
  expect((await consoleClient(service).get(link)).status).toBe(200)
  clock.move(1)
  const late = await consoleClient(service).get(link)
  expect(late.status).toBe(404)
  expect(late.text).toContain("Ce lien n’est plus valable")
  const post = await consoleClient(service).post(link, { email: "a@exemple.fr", password }, { token: null })
  expect([post.status, await members()]).toEqual([404, []])
  expect((await consoleClient(service).get("/console/setup/invente")).status).toBe(404)
  const rows = await service.app.db.selectFrom("setup_link").selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(link.split("/").at(-1) as string)
})

test("what is wrong stands at its field, and the address typed is not lost", async () => {
  const link = await newLink()
  const reply = await consoleClient(service).post(
    link,
    { email: "camille", password: "onze lettre" },
    { token: null },
  )
  expect(reply.status).toBe(400)
  expect(reply.text).toContain('value="camille"')
  expect(reply.text).toContain("Indiquez une adresse e-mail complète.")
  expect(reply.text).toContain("Choisissez un mot de passe de 12 à 256 caractères.")
  expect(reply.text).not.toContain("onze lettre")
})

test("the first account is an owner’s, signed in at once; every link is void from then on, for two at once too", async () => {
  const [one, two] = [await newLink(), await newLink()]
  const clients = [consoleClient(service), consoleClient(service)]
  const replies = await Promise.all([
    clients[0]?.post(one, { email: "Camille@Exemple.fr", password }, { token: null }),
    clients[1]?.post(two, { email: "autre@exemple.fr", password }, { token: null }),
  ])
  expect(replies.map((reply) => reply?.status).sort()).toEqual([303, 409])
  expect(await members()).toMatchObject([{ role: "owner" }])
  const winner = clients[replies.findIndex((reply) => reply?.status === 303)]
  expect((await winner?.get("/console/projects"))?.status).toBe(200)
  for (const link of [one, two]) expect((await consoleClient(service).get(link)).status).toBe(404)
  expect(await newSetupLink({ db: service.app.db, publicUrl: service.url }, clock.now())).toBeUndefined()
  expect((await consoleClient(service).get("/console/sign-in")).text).toContain("Se connecter")
})

test("settings with a password file make the first operator, and never a second one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guichet-test-"))
  const file = join(folder, "password")
  writeFileSync(file, `${password}\n`)
  await using automated = await aService()
    .withSettings({
      GUICHET_OPERATOR_EMAIL: "auto@exemple.fr",
      GUICHET_OPERATOR_PASSWORD_FILE: file,
    })
    .started()
  await setUpFirstOperator(automated.app, automated.app.clock.now())
  await setUpFirstOperator(automated.app, automated.app.clock.now())
  expect(await members(automated)).toMatchObject([{ email: "auto@exemple.fr", role: "owner" }])
  const reply = await consoleClient(automated).post(
    "/console/sign-in",
    { email: "auto@exemple.fr", password },
    { token: null },
  )
  expect(reply.status).toBe(303)
  rmSync(folder, { recursive: true })
  expect(() => readConfig({ GUICHET_OPERATOR_EMAIL: "auto@exemple.fr" })).toThrow("go together")
})

test("the command line gives links, makes operators and changes passwords, read from stdin", async () => {
  await using empty = await aService()
    .withSettings({ GUICHET_PUBLIC_URL: "https://guichet.exemple.fr" })
    .started()
  const environment = {
    GUICHET_DATA_DIR: empty.app.config.dataDir,
    GUICHET_PUBLIC_URL: "https://guichet.exemple.fr",
  }
  const link = await guichet(["setup-link"], environment)
  expect(link.stdout).toMatch(/^https:\/\/guichet\.exemple\.fr\/console\/setup\/[\w-]{43}\n$/)
  expect((await consoleClient(empty).get(new URL(link.stdout.trim()).pathname)).status).toBe(200)

  const short = await guichet(["operator", "create", "a@exemple.fr"], environment, "court\n")
  expect([short.exitCode, short.stderr]).toEqual([
    1,
    expect.stringContaining("a password has 12 to 256 characters"),
  ])
  const made = await guichet(["operator", "create", "a@exemple.fr", "--json"], environment, `${password}\n`)
  expect(JSON.parse(made.stdout)).toEqual({ id: expect.stringMatching(/^opr_/) })
  expect((await guichet(["setup-link"], environment)).exitCode).toBe(1)
  const twice = await guichet(["operator", "create", "A@exemple.fr"], environment, `${password}\n`)
  expect([twice.exitCode, twice.stderr]).toEqual([1, expect.stringContaining("has an account already")])

  const signIn = async (given: string) =>
    (
      await consoleClient(empty).post(
        "/console/sign-in",
        { email: "a@exemple.fr", password: given },
        { token: null },
      )
    ).status
  expect(await signIn(password)).toBe(303)
  expect(
    (await guichet(["operator", "password", "a@exemple.fr"], environment, "tout autre chose\n")).exitCode,
  ).toBe(0)
  expect([await signIn(password), await signIn("tout autre chose")]).toEqual([401, 303])
  expect(
    (await guichet(["operator", "create", "b@exemple.fr", "--role", "king"], environment)).exitCode,
  ).toBe(2)
})
