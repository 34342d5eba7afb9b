import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { hourMs } from "../../src/base/clock.ts"
import { apiOf } from "../support/api.ts"
import { answerable, origin, type Site } from "../support/ask.ts"
import { manyPosts } from "../support/many-posts.ts"
import { aService } from "../support/service-builder.ts"

// What is written to the owner goes straight through, unless it asks something that the documentation surely answers.

let site: Site
beforeAll(async () => {
  site = await aService().withSettings(manyPosts).withIndexedProject().started()
  const api = await apiOf(site.service)
  const fields = [{ name: "message", label: "Message", type: "textarea" }]
  const { body } = await api.post("/api/v1/forms", { project: site.project.id, name: "Contact", fields })
  await api.patch(`/api/v1/projects/${site.project.id}/widget-settings`, { contact_form: body.id })
})
afterAll(() => site[Symbol.asyncDispose]())

async function offeredTo(text: string) {
  site.clock.move(hourMs / 10)
  const headers = { origin, "content-type": "application/json" }
  const init = { headers, body: JSON.stringify({ text }) }
  const { body } = await site.send(init, `/api/v1/projects/${site.project.id}/contact/answer`)
  return body
}

describe("a message that asks nothing of the documentation is sent", () => {
  test.each([
    "Votre site est très bien fait, bravo",
    "Bonjour, merci beaucoup pour votre aide hier au téléphone. Les webhooks fonctionnent de nouveau.",
    "Un grand merci à toute l’équipe ! Grâce à vous, notre signature de webhook est vérifiée.",
    "Je suis très déçu : la console est lente depuis trois jours et mes livraisons sont en échec. C’est inadmissible.",
    "Comment se fait-il que mes livraisons échouent depuis trois jours ? C’est la troisième fois que je vous écris !",
    "Vous trouvez cela normal ?",
    "Madame, Monsieur,\nJe vous adresse ma candidature au poste de développeuse. Vous trouverez mon CV ci-joint. Je reste à votre disposition pour un entretien.",
    "Bonjour, je cherche un stage de deux mois en informatique. Pourriez-vous me recevoir pour un entretien ?",
    "Pourriez-vous me faire parvenir un devis pour l’installation de Guichet sur trois sites ?",
    "Bonjour, serait-il possible d’obtenir un devis pour dix formulaires ?",
    "Merci de me rappeler au 06 12 34 56 78 au sujet de la signature des webhooks.",
    "Pouvez-vous me rappeler demain matin ?",
    "Quelle belle documentation !",
    "Thank you for the webhook documentation, it helped us a lot.",
    "Could you please send me a quote for three websites?",
    "Signature webhook vérifiée avec succès hier, rien à signaler.",
  ])("%s", async (text) => {
    expect(await offeredTo(text)).toEqual({ status: "no_answer", answer: "", sources: [] })
  })
})

describe("a question that it surely answers is offered that, with or without its mark, within a message", () => {
  test.each([
    answerable,
    "comment vérifier la signature d’un webhook",
    "Bonjour, je voudrais savoir comment vérifier la signature d’un webhook. Cordialement, Camille",
    "Bonjour,\n\nNotre application est prête depuis hier et toute l’équipe attend. Pouvez-vous me dire comment vérifier la signature d’un webhook ? Nous utilisons PHP 8.3.\n\nMerci d’avance,\nCamille",
    "Je ne sais pas comment vérifier la signature d’un webhook.",
  ])("%s", async (text) => {
    const { status, sources } = await offeredTo(text)
    expect([status, sources[0]?.url]).toEqual([
      "answered",
      expect.stringContaining("/verifier-une-signature"),
    ])
  })
})

test("what the pages only come near to is offered to nobody who writes, however talkative the project is", async () => {
  await (await apiOf(site.service)).patch(`/api/v1/projects/${site.project.id}`, {
    answer_threshold: "talkative",
  })
  for (const text of ["Peut-on payer par carte bancaire ?", "Où se trouve votre boutique à Lyon ?"])
    expect((await offeredTo(text)).status, text).toBe("no_answer")
})
