import { afterAll, beforeAll, expect, test } from "bun:test"
import { invite } from "../../../src/accounts/invitation.ts"
import { makePasswordLink } from "../../../src/accounts/password-link.ts"
import { newSetupLink } from "../../../src/accounts/setup-link.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { roleScopes } from "../../../src/operations/scope.ts"
import { apiOf } from "../../support/api.ts"
import { guichet } from "../../support/cli.ts"
import { consoleClient, password, signedIn } from "../../support/operator.ts"
import { type Service, temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

const tooEasy = "se devine trop facilement"
const common = "password1234"
let service: Service

beforeAll(async () => {
  service = await aService().started()
})
afterAll(() => service[Symbol.asyncDispose]())

const pathOf = (link: string) => new URL(link).pathname
const choose = (path: string, values: Record<string, string>) =>
  consoleClient(service).post(path, values, { token: null })

test("a common password is refused wherever one is chosen", async () => {
  const { db, clock, config } = service.app
  const setup = pathOf((await newSetupLink({ db, publicUrl: config.publicUrl }, clock.now())) as string)
  const first = await choose(setup, { email: "camille@exemple.fr", password: common })
  expect([first.status, first.text.includes(tooEasy)]).toEqual([400, true])

  const owner = await signedIn(service)
  const workspaceId = await defaultWorkspaceId(db)
  const wanted = {
    workspaceId,
    email: "sacha@exemple.fr",
    role: "editor" as const,
    held: roleScopes("owner"),
  }
  const invitation = pathOf((await invite(service.app, { ...wanted, inviter: undefined }, clock.now())).link)
  const invited = await choose(invitation, { password: common })
  expect([invited.status, invited.text.includes(tooEasy)]).toEqual([400, true])

  const operator = { id: owner.operatorId, email: owner.email }
  const made = await makePasswordLink(db, { operator, workspaceId, publicUrl: service.url }, clock.now())
  const reset = await choose(pathOf(made), { password: common })
  expect([reset.status, reset.text.includes(tooEasy)]).toEqual([400, true])

  await owner.get("/console/settings/account")
  const own = await owner.post("/console/settings/password", { present_password: password, password: common })
  expect([own.status, own.text.includes(tooEasy)]).toEqual([400, true])
})

test("words of the account, its workspace and its sites are no password", async () => {
  const api = await apiOf(service)
  const renamed = await api.patch(`/api/v1/workspaces/${api.workspaceId}`, { name: "Agglo de Brénod" })
  expect(renamed.status).toBe(200)
  await api.post("/api/v1/projects", { name: "Voirie", site: "https://www.mairie-oyonnax.fr" })
  const owner = await signedIn(service)
  for (const chosen of ["Brénod-2026-!", "Oyonnax2026!!", `${owner.email.split("@")[0]}!!`]) {
    await owner.get("/console/settings/account")
    const reply = await owner.post("/console/settings/password", {
      present_password: password,
      password: chosen,
    })
    expect([chosen, reply.status, reply.text.includes(tooEasy)]).toEqual([chosen, 400, true])
  }
})

test("a command refuses a common password too, and ends at once", async () => {
  using folder = temporaryFolder()
  const run = await guichet(
    ["operator", "create", "camille@exemple.fr", "--role", "owner"],
    { GUICHET_DATA_DIR: folder.path },
    `${common}\n`,
  )
  expect([run.exitCode, run.stderr.includes("too easily guessed")]).toEqual([1, true])
})
