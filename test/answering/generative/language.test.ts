import { describe, expect, test } from "bun:test"
import { detectLanguage, isInLanguage } from "../../../src/answering/generative/language.ts"
import { origin } from "../../support/ask.ts"
import { type Behaviour, honest, type Received, reply } from "../../support/models/behaviour.ts"
import { providers } from "../../support/models/server.ts"
import { aService } from "../../support/service-builder.ts"

// An answer is in the language of the question, whatever language the passages and the model prefer.

const french = "Vous pouvez vérifier que le message vient bien de votre Guichet et qu’il n’a pas été modifié."
const english = "You can verify with the secret of the destination that the message is from your Guichet."
const command = "`guichet serve`"
const says = (...texts: string[]) =>
  reply({ answerable: true, sentences: texts.map((text) => ({ text, sources: [1, 2, 3, 4, 5, 6, 7, 8] })) })
const asked = {
  fr: "Comment vérifier la signature d’un webhook ?",
  en: "How do I verify the signature of a webhook?",
}

/** Gives the replies one after the other, and records what it receives. */
function replying(...replies: string[][]): Behaviour & { received: Received[] } {
  const received: Received[] = []
  return {
    ...honest,
    received,
    write(request) {
      received.push(request)
      return says(...(replies[received.length - 1] ?? []))
    },
  }
}

describe.each(providers)("%s", (provider) => {
  test.each([
    ["French", asked.fr, english, french],
    ["English", asked.en, french, english],
  ])(
    "an answer that is not in %s is asked for once more, with the language named",
    async (name, question, wrong, right) => {
      const behaviour = replying([wrong], [right])
      await using site = await aService().withModel(provider, behaviour).started()
      const { body } = await site.ask({ question })
      expect(body.answer).toStartWith(right)
      expect(behaviour.received.map(({ system }) => system)).toEqual([
        expect.stringContaining(`the language of the question, which is ${name}`),
        expect.stringContaining(`Answer in ${name} and in no other language`),
      ])
    },
  )

  test("twice in another language is 503, and the log says what to do", async () => {
    const behaviour = replying([english], [english])
    await using site = await aService().withModel(provider, behaviour).started()
    expect((await site.ask({ question: asked.fr })).status).toBe(503)
    const refused = site.log.find(({ message }) => message === "question refused")
    expect(refused?.reason).toStartWith(
      "language model: language: the model answered twice in another language",
    )
    expect(await site.service.app.db.selectFrom("limit_count").selectAll().execute()).toEqual([])
  })
})

test("twice in another language is an extracted answer, where the owner prefers that to a 503", async () => {
  const behaviour = replying([english], [english])
  await using site = await aService()
    .withSettings({ GUICHET_MODEL_FALLBACK: "extractive" })
    .withModel("openai", behaviour)
    .started()
  const { body } = await site.ask({ question: asked.fr })
  expect(body.status).toBe("answered")
  expect(body.answer).not.toContain("You can")
})

test("no sentence is sent before its language is known", async () => {
  const behaviour = replying(["Click on **Webhooks**.", english], ["**Webhooks**", french])
  await using site = await aService().withModel("openai", behaviour).started()
  const response = await fetch(`${site.service.url}/api/v1/ask`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", origin },
    body: JSON.stringify({ project: site.project.id, question: asked.fr }),
  })
  const events = (await response.text()).match(/^event: \w+/gm)
  expect(events).toEqual(["event: sentence", "event: sentence", "event: answer"])
})

test.each([
  ["a command alone", [command]],
  ["a word", ["**Webhooks**"]],
  ["a block of code", ["```sh\nguichet serve\n```"]],
  [
    "a quoted message",
    ["Le journal dit « the model is not there and will be tried when it is » dans ce cas."],
  ],
])("%s is no answer in another language", async (_, texts) => {
  const behaviour = replying(texts)
  await using site = await aService().withModel("openai", behaviour).started()
  await site.ask({ question: asked.fr })
  expect(behaviour.received).toHaveLength(1)
})

test("a later sentence in another language is left out", async () => {
  const another = "Pour cela, chaque message est signé avec le secret de la destination."
  await using site = await aService()
    .withModel("openai", replying([french, english, another]))
    .started()
  const { body } = await site.ask({ question: asked.fr })
  expect(body.answer).not.toContain("You can")
  expect(body.answer).toStartWith(french)
  expect(body.answer).toContain(another)
})

test("a question of unknown language is answered in any language", async () => {
  const behaviour = replying([english])
  await using site = await aService().withModel("openai", behaviour).started()
  expect((await site.ask({ question: "signature webhook" })).body.answer).toStartWith(english)
  expect(behaviour.received).toHaveLength(1)
})

test.each([
  ["Comment vérifier la signature ?", "fr"],
  ["mon webhook ne part plus", "fr"],
  ["webhook signature", undefined],
  ["window is not defined côté serveur", undefined],
  ["How do I verify it?", "en"],
  ["my form is not shown", "en"],
  ["¿Cómo puedo ver los webhooks y sus entregas?", "es"],
  ["Wie kann ich das Geheimnis ändern?", "de"],
  ["Come posso vedere gli webhook che non sono arrivati?", "it"],
  ["Como é que vejo os webhooks que não são entregues?", "pt"],
  ["cambiar la contraseña de la cuenta", undefined],
] as const)("a question: %s", (question, language) => expect(detectLanguage(question, "fr")).toBe(language))

test.each([
  [french, true],
  [english, false],
  ["Ouvrez la console.", undefined],
  [`${command}\n\n\`\`\`sh\n# this is what you do when it is not there\n\`\`\``, undefined],
  ["このウェブフックの署名はどのように確認しますか。コンソールを開いてください。", false],
] as const)("an answer: %s", (text, isFrench) => expect(isInLanguage("fr", text)).toBe(isFrench))
