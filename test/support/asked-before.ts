import { storeAnswer } from "../../src/answering/ask/store-answer.ts"
import { dayMs, hourMs } from "../../src/base/clock.ts"
import type { Service } from "./service.ts"

/** Questions of the last weeks, a third of them without an answer. */
export async function askedBefore({ app }: Service, projectId: string): Promise<void> {
  const nowMs = app.clock.now()
  const asked = [
    ["Comment renvoyer un webhook ?", "answered"],
    ["Comment vérifier la signature ?", "answered"],
    ["Où voir les tarifs ?", "no_answer"],
    ["Quels sont vos tarifs ?", "no_answer"],
    ["quels sont les tarifs", "no_answer"],
    ["Comment changer la langue du widget ?", "answered"],
    ["Peut-on payer par virement ?", "no_answer"],
    ["Comment supprimer une réponse ?", "answered"],
  ] as const
  for (let day = 0; day < 28; day++) {
    for (let place = 0; place < 1 + ((day * 7) % 5); place++) {
      const [question, status] = asked[(day * 3 + place) % asked.length] as (typeof asked)[number]
      const answer =
        status === "answered"
          ? "Ouvrez la page **Webhooks**, puis **Livraisons** et **Renvoyer**.[^1]"
          : "La documentation ne répond pas à cette question. Essayez de la reformuler."
      const sources =
        status === "answered"
          ? [
              {
                n: 1,
                title: "Webhooks",
                section: "Renvoyer",
                url: "https://docs.exemple.fr/webhooks#renvoyer",
              },
            ]
          : []
      const kept = {
        projectId,
        question,
        page: "/guide",
        generation: 1,
        cacheKey: null,
        result: { status, answer, sources },
      }
      const { id } = await storeAnswer(app.db, kept, nowMs - day * dayMs - place * hourMs)
      if (place === 0 && status === "answered")
        await app.db
          .updateTable("answer")
          .set({ useful: day % 3 === 0 ? 0 : 1 })
          .where("id", "=", id)
          .execute()
    }
  }
}
