import { expect, test } from "bun:test"
import { dayMs, hourMs } from "../../../src/base/clock.ts"
import { confirmed, formsWithMails } from "../../support/form-mails.ts"
import { signedIn } from "../../support/operator.ts"

const mailed = formsWithMails()

test("nobody's mailbox is flooded: a sixth mail to one address within a day is not sent", async () => {
  const form = await mailed.forms.form(confirmed)
  for (let i = 0; i < 7; i++) await form.json({ nom: "Camille", adresse: "Cible@exemple.fr", consent: "on" })
  await mailed.forms.service.app.mailer.sendDue()
  expect(mailed.mail.mails).toHaveLength(5)
  expect(await form.responses()).toHaveLength(7)
})

test("marks that nobody sees make no other mailbox of it", async () => {
  const form = await mailed.forms.form(confirmed)
  for (let place = 0; place < 8; place++) {
    const adresse = `cible2@${"exemple.fr".slice(0, place)}\u00ad${"exemple.fr".slice(place)}`
    await form.json({ nom: "Camille", adresse, consent: "on" })
  }
  await mailed.forms.service.app.mailer.sendDue()
  expect(mailed.mail.mails.map(({ to }) => to)).toEqual(Array(5).fill(["cible2@exemple.fr"]))
})

test("what follows a plus, the case and the dots of Gmail make no other mailbox; a dot elsewhere does", async () => {
  const form = await mailed.forms.form(confirmed)
  const post = (adresse: string) => form.json({ nom: "Camille", adresse, consent: "on" })
  for (let number = 0; number < 7; number++) {
    expect((await post(`Victime+${number}@Exemple.fr`)).status).toBe(201)
    expect(
      (await post(`${number % 2 ? "vic.time" : "v.ictime"}+${number}@g${number % 3 ? "" : "oogle"}mail.com`))
        .status,
    ).toBe(201)
  }
  await post("vic.time@exemple.fr")
  await mailed.forms.service.app.mailer.sendDue()
  const to = mailed.mail.mails.map((one) => one.to[0] as string)
  expect(to.filter((address) => address.startsWith("Victime+"))).toHaveLength(5)
  expect(to.filter((address) => address.endsWith("mail.com"))).toHaveLength(5)
  expect(to.filter((address) => address === "vic.time@exemple.fr")).toHaveLength(1)
  // The limit lasts until the next day, not for some hours.
  mailed.forms.clock.move(5 * hourMs)
  await post("victime@exemple.fr")
  await mailed.forms.service.app.mailer.sendDue()
  expect(mailed.mail.mails).toHaveLength(11)
  mailed.forms.clock.move(dayMs)
  await post("victime@exemple.fr")
  await mailed.forms.service.app.mailer.sendDue()
  expect(mailed.mail.mails).toHaveLength(12)
})

test("whoever fills in the form cannot tell that no mail went; the page of the response says it", async () => {
  const form = await mailed.forms.form(confirmed)
  const operator = await signedIn(mailed.forms.service)
  const replies = []
  for (let number = 0; number < 6; number++)
    replies.push(await form.json({ nom: "Camille", adresse: "boite@exemple.fr", consent: "on" }))
  expect(replies.map(({ status, body }) => [status, Object.keys(body)])).toEqual(
    Array(6).fill([201, ["id", "confirm"]]),
  )
  expect((await form.responses()).map(({ consent }) => consent.status)).toEqual(Array(6).fill("pending"))
  const path = `/console/projects/${mailed.forms.projectId}/forms/${form.id}/responses`
  const [last, before] = await form.responses()
  const isSaid = async ({ id }: { id: string }) =>
    (await operator.get(`${path}/${id}`)).text.includes("Aucun e-mail de confirmation n’est parti")
  expect([await isSaid(last), await isSaid(before)]).toEqual([true, false])
  await mailed.forms.service.app.mailer.sendDue()
})

test("nobody is flooded with receipts, and consents are still asked to be confirmed", async () => {
  const plain = await mailed.forms.form({ receipt: true })
  const adresse = "victime@exemple.fr"
  for (let number = 0; number < 6; number++)
    await plain.json({ nom: "x", adresse: `victime+${number}@exemple.fr` })
  const both = await mailed.forms.form({ ...confirmed, receipt: true })
  for (let number = 0; number < 4; number++) await both.json({ nom: "x", adresse, consent: "on" })
  await mailed.forms.service.app.mailer.sendDue()
  const subjects = mailed.mail.mails.map(({ headers }) => headers.get("subject")?.slice(0, 9))
  expect(subjects).toEqual([...Array(3).fill("Bien reçu"), ...Array(2).fill("Confirmez")])
  // One mail for both: it says that the response arrived, too.
  expect(mailed.mail.mails.at(-1)?.text).toContain("est bien arrivé")
})
