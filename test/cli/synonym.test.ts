import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Site } from "../support/ask.ts"
import { guichet } from "../support/cli.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

// `guichet synonym` as a process, beside a service that runs on the same data folder.

// Each call starts a process.

const folder = temporaryFolder()
const environment = { GUICHET_DATA_DIR: folder.path }
let site: Site
beforeAll(async () => {
  site = await aService().withSettings(environment).withIndexedProject().started()
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const run = (...argv: string[]) => guichet(["synonym", ...argv], environment)

test("words are declared, listed and removed, and the running service obeys at once", async () => {
  const { id: project } = site.project
  const question = "Comment vérifier le paraphe du bordereau ?"
  expect((await site.ask({ question })).body.status).toBe("no_answer")
  const made = await run("add", project, "paraphe", "signature", "--json")
  expect(made.exitCode).toBe(0)
  const { id, words } = JSON.parse(made.stdout)
  expect(words).toEqual(["paraphe", "signature"])
  const second = (await run("add", project, "bordereau", "envoi signé", "webhook")).stdout.trim()
  expect((await site.ask({ question })).body.status).toBe("answered")
  expect(JSON.parse((await run("list", project, "--json")).stdout).items).toContainEqual({ id, words })
  expect((await run("list", project)).stdout).toContain(`${second}  bordereau, envoi signé, webhook\n`)
  expect(JSON.parse((await run("remove", project, id, "--json")).stdout)).toEqual({ id })
  expect((await run("remove", project, second)).exitCode).toBe(0)
  expect((await run("list", project)).stdout).toBe("")
  expect((await site.ask({ question })).body.status).toBe("no_answer")
})

test("a word alone, or a group that is not there, is refused with what to do", async () => {
  const { id: project } = site.project
  expect(await run("add", project)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("WORD…") })
  const alone = await run("add", project, "mél")
  expect([alone.exitCode, alone.stdout]).toEqual([2, ""])
  expect(alone.stderr).toContain("2 to 10 different words")
  expect((await run("remove", project, "syn_1")).stderr).toContain("no group of synonyms syn_1")
})
