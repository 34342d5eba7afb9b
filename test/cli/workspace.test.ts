import { afterEach, beforeEach, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { addOperator, listMembers } from "../../src/accounts/operator.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { openApp } from "../../src/app.ts"
import { guichet } from "../support/cli.ts"
import { startServe } from "../support/serve.ts"
import { configOf, type TemporaryFolder, temporaryFolder } from "../support/service.ts"

const password = "un mot de passe bien long\n"

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

const run = (...argv: string[]) => guichet(argv, { GUICHET_DATA_DIR: folder.path }, password)
const member = (workspaceId: string, email: string) =>
  ({ workspaceId, email, role: "viewer", password: password.trim() }) as const
const add = async (...options: string[]) =>
  JSON.parse((await run("workspace", "add", "--name", "Client", "--json", ...options)).stdout)

test("a workspace is owned by the owners of the default one, or by whom --owner names", async () => {
  await run("operator", "create", "camille@exemple.fr")
  await run("operator", "create", "sacha@exemple.fr", "--role", "editor")
  expect(await add()).toEqual({ id: expect.stringMatching(/^ws_/), owners: ["camille@exemple.fr"] })
  const untold = await run("workspace", "add", "--name", "x", "--owner", "sacha@exemple.fr")
  expect([untold.exitCode, untold.stdout]).toEqual([1, ""])
  expect(untold.stderr).toContain("sacha@exemple.fr has an account already")
  expect(await add("--owner", "Sacha@exemple.fr", "--existing")).toMatchObject({
    owners: ["sacha@exemple.fr"],
  })
  const unknown = await run("workspace", "add", "--name", "x", "--owner", "personne@exemple.fr")
  expect(unknown).toMatchObject({ exitCode: 1, stdout: "" })
  expect(unknown.stderr).toContain("no operator has the address personne@exemple.fr")
  const { stdout } = await run("workspace", "list", "--json")
  expect(JSON.parse(stdout).items).toHaveLength(3)
})

test("the first operator owns what was made before", async () => {
  expect(await add()).toMatchObject({ owners: [] })
  await run("operator", "create", "camille@exemple.fr")
  expect(await add()).toMatchObject({ owners: ["camille@exemple.fr"] })
  expect((await run("operator", "password", "camille@exemple.fr")).exitCode).toBe(0)
  await using app = await openApp(
    await configOf({ GUICHET_DATA_DIR: folder.path, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" }),
  )
  const members = await app.db.selectFrom("member").select(["workspace_id", "role"]).execute()
  expect(members.map(({ role }) => role)).toEqual(["owner", "owner", "owner"])
  const entries = await app.db.selectFrom("audit_log").select(["actor_name", "subject_name"]).execute()
  expect(entries).toEqual([
    { actor_name: "guichet workspace add", subject_name: "Client" },
    { actor_name: "guichet operator create", subject_name: "camille@exemple.fr" },
    { actor_name: "guichet workspace add", subject_name: "Client" },
    { actor_name: "guichet operator password", subject_name: "camille@exemple.fr" },
  ])
})

test("a name is as long here as the API allows", async () => {
  const tooLong = await run("workspace", "add", "--name", "é".repeat(201))
  expect(tooLong).toMatchObject({ exitCode: 2, stdout: "" })
  expect(tooLong.stderr).toContain("the name is to have 1 to 200 characters")
  expect((await run("workspace", "add", "--name", "🏡".repeat(200))).exitCode).toBe(0)
})

test("a project is declared in the workspace that --workspace names, which must be one", async () => {
  const { id } = await add()
  const project = ["project", "add", "--name", "Site", "--site", "https://a.fr", "--json"]
  const inClient = JSON.parse((await run(...project, "--workspace", id)).stdout)
  const inDefault = JSON.parse((await run(...project)).stdout)
  expect((await run(...project, "--workspace", "ws_none")).stderr).toContain("no workspace ws_none")
  const { items } = JSON.parse((await run("project", "list", "--json")).stdout)
  const shown = (wanted: string) => items.find((each: { id: string }) => each.id === wanted).workspace === id
  expect([shown(inClient.id), shown(inDefault.id)]).toEqual([true, false])
  await using app = await openApp(
    await configOf({ GUICHET_DATA_DIR: folder.path, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" }),
  )
  const rows = await app.db.selectFrom("project").select(["id", "workspace_id"]).execute()
  expect(Object.fromEntries(rows.map((row) => [row.id, row.workspace_id === id]))).toEqual({
    [inClient.id]: true,
    [inDefault.id]: false,
  })
})

test("the service is set up once somebody owns a workspace: a viewer who accepted an invitation first does not close it", async () => {
  const { id } = await add()
  await using app = await openApp(
    await configOf({ GUICHET_DATA_DIR: folder.path, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" }),
  )
  await addOperator(app.db, member(id, "stagiaire@exemple.fr"), Date.now())
  expect((await run("setup-link")).stdout).toContain("/console/setup/")
  await run("operator", "create", "camille@exemple.fr")
  const roles = async (workspaceId: string) =>
    (await listMembers(app.db, workspaceId)).map(({ email, role }) => `${email} ${role}`)
  expect(await roles(await defaultWorkspaceId(app.db))).toEqual(["camille@exemple.fr owner"])
  expect(await roles(id)).toEqual(["stagiaire@exemple.fr viewer", "camille@exemple.fr owner"])
  expect((await run("setup-link")).exitCode).toBe(1)
})

test("a viewer who accepted an invitation first may become the first owner, and does not stop a start that names them", async () => {
  const { id } = await add()
  const file = join(folder.path, "password")
  writeFileSync(file, password)
  await using app = await openApp(
    await configOf({ GUICHET_DATA_DIR: folder.path, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" }),
  )
  await addOperator(app.db, member(id, "sacha@exemple.fr"), Date.now())
  const environment = { GUICHET_OPERATOR_EMAIL: "sacha@exemple.fr", GUICHET_OPERATOR_PASSWORD_FILE: file }
  {
    await using service = await startServe({ GUICHET_DATA_DIR: folder.path, ...environment })
    expect(service.log()).toContain("/console/setup/")
  }
  expect((await run("operator", "create", "sacha@exemple.fr")).exitCode).toBe(1)
  expect(await listMembers(app.db, await defaultWorkspaceId(app.db))).toEqual([])
  expect((await run("operator", "create", "sacha@exemple.fr", "--existing")).exitCode).toBe(0)
  const roles = (await listMembers(app.db, await defaultWorkspaceId(app.db))).map(({ role }) => role)
  expect(roles).toEqual(["owner"])
  expect((await run("setup-link")).exitCode).toBe(1)
})

test("who has an account becomes a member only with --existing, with the same password; who is one already stays what they are", async () => {
  await run("operator", "create", "camille@exemple.fr")
  await run("operator", "create", "sacha@exemple.fr", "--role", "editor")
  const { id } = await add()
  const create = ["operator", "create", "sacha@exemple.fr", "--workspace", id, "--role", "viewer"]
  const refused = await run(...create)
  expect([refused.exitCode, refused.stdout]).toEqual([1, ""])
  expect(refused.stderr).toMatch(/sacha@exemple\.fr has an account already, in .+ \(ws_/)
  const added = await run(...create, "--existing")
  expect([added.exitCode, added.stderr]).toEqual([
    0,
    "sacha@exemple.fr has an account already and keeps its password\n",
  ])
  const again = await run(...create.slice(0, -1), "owner", "--existing")
  expect([again.exitCode, again.stdout]).toEqual([1, ""])
  expect(again.stderr).toContain("sacha@exemple.fr is a member already")
  await using app = await openApp(
    await configOf({ GUICHET_DATA_DIR: folder.path, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: "none" }),
  )
  const roles = (await listMembers(app.db, id)).map(({ email, role }) => `${email} ${role}`)
  expect(roles).toEqual(["camille@exemple.fr owner", "sacha@exemple.fr viewer"])
})

test("operators are listed and taken out of a workspace, the last owner never", async () => {
  await run("operator", "create", "camille@exemple.fr")
  await run("operator", "create", "sacha@exemple.fr", "--role", "editor")
  const people = async () =>
    JSON.parse((await run("operator", "list", "--json")).stdout).items.map(
      ({ email, role, state }: Record<string, string>) => `${email} ${role} ${state}`,
    )
  expect(await people()).toEqual(["camille@exemple.fr owner active", "sacha@exemple.fr editor active"])
  expect((await run("operator", "list")).stdout).toMatch(
    /^opr_\S+ {2}owner {2}active {2}camille@exemple\.fr\n/,
  )
  const removed = await run("operator", "remove", "Sacha@exemple.fr", "--json")
  expect([removed.exitCode, JSON.parse(removed.stdout)]).toEqual([0, { id: expect.stringMatching(/^opr_/) }])
  expect(await people()).toEqual(["camille@exemple.fr owner active"])
  const last = await run("operator", "remove", "camille@exemple.fr")
  expect([last.exitCode, last.stdout]).toEqual([1, ""])
  expect(last.stderr).toContain("the last owner")
  expect((await run("operator", "remove", "sacha@exemple.fr")).stderr).toContain(
    "no operator sacha@exemple.fr",
  )
})

test("a workspace goes with its projects once that is said, the default one never", async () => {
  const { id } = await add()
  await run("project", "add", "--name", "Site", "--site", "https://a.fr", "--workspace", id)
  const remove = ["workspace", "remove", id, "--json"]
  expect(JSON.parse((await run(...remove, "--dry-run")).stdout)).toEqual({
    id,
    name: "Client",
    projects: 1,
    removed: false,
  })
  const unsaid = await run(...remove)
  expect([unsaid.exitCode, unsaid.stdout]).toEqual([2, ""])
  expect(JSON.parse((await run(...remove, "--yes")).stdout)).toEqual({ id })
  const { items } = JSON.parse((await run("workspace", "list", "--json")).stdout)
  expect(items.map(({ name }: { name: string }) => name)).toEqual(["Espace"])
  expect(JSON.parse((await run("project", "list", "--json")).stdout).items).toEqual([])
  expect((await run(...remove, "--yes")).stderr).toContain(`no workspace ${id}`)
  const kept = await run("workspace", "remove", items[0].id, "--yes")
  expect([kept.exitCode, kept.stderr]).toEqual([1, expect.stringContaining("it is the default workspace")])
})
