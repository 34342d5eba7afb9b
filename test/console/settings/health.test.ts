import { expect, test } from "bun:test"
import { insertProject } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { saveFeed } from "../../../src/reading/feed.ts"
import { apiOf, strangerOf } from "../../support/api.ts"
import { movableClock } from "../../support/clock.ts"
import { signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

test("the settings say how each part of the service is, in French, with what is wrong", async () => {
  await using service = await aService()
    .withSettings({ GUICHET_SMTP_URL: "smtp://127.0.0.1:9" })
    .withClock(movableClock(Date.now()))
    .started()
  const camille = await signedIn(service)
  const reply = await camille.get("/console/settings/health")
  expect(reply.status).toBe(200)
  const page = reply.text
  for (const part of ["Base de données", "Espace disque", "Envoi d’e-mails", "Livraisons en attente"])
    expect(page).toContain(part)
  const mail = /<td[^>]*>Envoi d’e-mails<\/td>(.*?)<\/tr>/.exec(page)?.[1]
  expect(mail).toContain("en défaut")
  const database = /<td[^>]*>Base de données<\/td>(.*?)<\/tr>/.exec(page)?.[1]
  expect(database).toContain("bon")
})

test("a project without its index is named to its own workspace, and to no other", async () => {
  await using service = await aService().withClock(movableClock(Date.now())).started()
  const { app } = service
  const wanted = { name: "Docs", site: "https://docs.exemple.fr" }
  const { id } = await insertProject(app.db, await defaultWorkspaceId(app.db), wanted, app.clock.now())
  await saveFeed(app.db, id, { kind: "sitemap", address: "https://docs.exemple.fr/s.xml" }, app.clock.now())
  const index = (page: string) => /<td[^>]*>Index des documentations<\/td>(.*?)<\/tr>/.exec(page)?.[1]
  const own = await signedIn(service)
  const shown = index((await own.get("/console/settings/health")).text)
  expect(shown).toContain(`<a href="/console/projects/${id}/indexing">Docs</a>`)
  expect(shown?.replaceAll(/<[^>]+>/g, "")).not.toContain(id)
  const stranger = await strangerOf(service)
  const other = await signedIn(service, "owner", stranger.workspaceId)
  expect(index((await other.get("/console/settings/health")).text)).toContain("bon")
  expect(JSON.stringify((await stranger.get("/api/v1/checks")).body)).not.toContain(id)
  expect(JSON.stringify((await (await apiOf(service)).get("/api/v1/checks")).body)).toContain(id)
})

test("asking again at once shows what was seen: a token cannot have the mail server called at will", async () => {
  let calls = 0
  using mail = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        calls++
        socket.end()
      },
      data() {},
    },
  })
  const clock = movableClock(Date.now())
  await using service = await aService()
    .withSettings({ GUICHET_SMTP_URL: `smtp://127.0.0.1:${mail.port}` })
    .withClock(clock)
    .started()
  const api = await apiOf(service)
  const look = async () => (await api.get("/api/v1/checks")).body
  expect(await look()).toEqual(await look())
  const atOnce = calls
  clock.move(20_000)
  await look()
  expect({ atOnce, later: calls }).toEqual({ atOnce: 1, later: 2 })
})
