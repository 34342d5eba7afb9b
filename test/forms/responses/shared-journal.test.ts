import { afterAll, test as anyTest, expect } from "bun:test"
import { eraseAddress } from "../../../src/forms/responses/erase.ts"
import { guichet } from "../../support/cli.ts"
import { createDatabase, serverSettings } from "../../support/postgres.ts"
import { noPostgres } from "../../support/postgres-server.ts"
import { openProxy } from "../../support/proxy.ts"
import { noS3Server, type S3Server, startS3Server } from "../../support/s3-server.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

/* Several nodes share PostgreSQL alone, whatever the engine of the run is. */

const test = anyTest.skipIf(noPostgres() || noS3Server())

let store: S3Server | undefined
afterAll(() => store?.[Symbol.asyncDispose]())

test("what any node erased is erased again from a restored copy of the database", async () => {
  store ??= await startS3Server()
  const url = await createDatabase()
  const settings = { ...serverSettings(url), ...store.settings() }
  await using one = await aService().withSettings(settings).withForms().started()
  await using other = await aService().withSettings(settings).started()
  const form = await one.form()
  for (const nom of ["ada", "bea", "eva"]) await form.json({ nom, adresse: `${nom}@exemple.fr` })
  const copy = await copyOf(url)

  expect(await eraseAddress(one.service.app, "ada@exemple.fr")).toBe(1)
  expect(await eraseAddress(other.app, "bea@exemple.fr")).toBe(1)
  using folder = temporaryFolder()
  const restored = { ...settings, GUICHET_DATABASE_URL: copy, GUICHET_DATA_DIR: folder.path }
  const again = async (...options: string[]) =>
    JSON.parse((await guichet(["erase-again", "--json", ...options], restored)).stdout)
  // Nothing was erased after that day.
  expect(await again("--since", "2999-01-01")).toEqual({ listed: 0, erased: 0 })
  expect(await again("--since", "2020-01-01")).toEqual({ listed: 2, erased: 2 })
  await using sql = new Bun.SQL(copy, { max: 1 })
  const kept = await sql`SELECT address FROM form_response_address WHERE address LIKE '%@exemple.fr'`
  expect(kept.map(({ address }: { address: string }) => address)).toEqual(["eva@exemple.fr"])
  expect(await again()).toEqual({ listed: 2, erased: 0 })
  // Ids alone, of nobody.
  for (const [key, path] of store.objects())
    if (key.includes("erasures/"))
      expect(await Bun.file(path).text()).toMatch(/^(\{"at":"[^"]+","response":"resp_[0-9a-f]+"\}\n)+$/)
})

test("while the store of the journal is away nothing is erased, and that is said", async () => {
  store ??= await startS3Server()
  using network = openProxy(store.port)
  await using site = await aService()
    .withSettings({ ...serverSettings(await createDatabase()), ...store.settings(network.port) })
    .withForms()
    .started()
  const form = await site.form()
  await form.json({ nom: "Ada", adresse: "ada@exemple.fr" })
  network.refuse()
  const erase = () => site.api.post("/api/v1/erasures", { email: "ada@exemple.fr" })
  const refused = await erase()
  expect([refused.status, refused.body.error.code]).toEqual([503, "unavailable"])
  expect(await form.responses()).toHaveLength(1)
  network.pass()
  expect((await erase()).body).toEqual({ erased: 1 })
})

/** As a restored dump is: a database of its own, with what stood in the first one at that moment. */
async function copyOf(url: string): Promise<string> {
  const copy = await createDatabase()
  const dumped = Bun.spawn(["pg_dump", url], { stdout: "pipe", stderr: "pipe" })
  const restored = Bun.spawn(["psql", "--quiet", "--set", "ON_ERROR_STOP=1", copy], {
    stdin: dumped.stdout,
    stdout: "ignore",
    stderr: "pipe",
  })
  const [dump, restore] = await Promise.all([dumped.exited, restored.exited])
  if (dump + restore > 0) throw new Error(await new Response(restored.stderr).text())
  return copy
}
