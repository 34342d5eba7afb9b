import { afterAll, afterEach, beforeAll, expect } from "bun:test"
import { dayMs } from "../../src/base/clock.ts"
import { type FormSite, type MadeForm, publicUrl, recordedMessages } from "./forms.ts"
import { aService } from "./service-builder.ts"
import { type MailServer, startMailServer } from "./smtp.ts"

export const consentText = "J’accepte de recevoir la lettre d’information."
/** Of a form that asks for a consent by mail. */
export const confirmed = { consent: { text: consentText, confirmation: true } }

/** Forms of a service with a mail server, for the tests of a file; each begins without mails and two days later. */
export function formsWithMails() {
  const messages = recordedMessages()
  let forms: FormSite
  let mail: MailServer
  beforeAll(async () => {
    mail = await startMailServer()
    const settings = { GUICHET_SMTP_URL: mail.url, GUICHET_MAIL_FROM: "Exemple <bonjour@exemple.fr>" }
    forms = await aService()
      .withSettings(settings)
      .withOverrides({ messageQueue: messages })
      .withForms()
      .started()
  })
  afterEach(() => {
    mail.mails.length = 0
    mail.status = 250
    forms.clock.move(2 * dayMs)
  })
  afterAll(async () => {
    await forms[Symbol.asyncDispose]()
    await mail[Symbol.asyncDispose]()
  })
  return {
    messages,
    get forms() {
      return forms
    },
    get mail() {
      return mail
    },
    /** Posts with the box checked, and returns the link from the mail. */
    async linkFor(form: MadeForm, adresse = "camille@exemple.fr"): Promise<string> {
      await form.json({ nom: "Camille", adresse, consent: "on" })
      const [taken] = await mail.waitFor(1)
      const [link = ""] = /https:\S+/.exec(taken?.text ?? "") ?? []
      expect(link).toStartWith(`${publicUrl}/consent/`)
      return link.replace(publicUrl, forms.service.url)
    },
  }
}
