import { expect, test } from "bun:test"
import { movableClock } from "../support/clock.ts"
import { signedIn } from "../support/operator.ts"
import { startService } from "../support/service.ts"

test("the settings say how each part of the service is, in French, with what is wrong", async () => {
  await using service = await startService(
    { GUICHET_SMTP_URL: "smtp://127.0.0.1:9" },
    { clock: movableClock(Date.now()) },
  )
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
