import type { Language } from "../../../accounts/project.ts"
import { detail, Refusal } from "../../../base/errors.ts"
import { type Passage, withoutLinkTargets } from "../../documents/document.ts"
import { passageUnits } from "../../documents/passages/units.ts"
import type { PassageModel } from "../embed-passages.ts"
import { e5Name, type PassageText } from "./e5.ts"
import { type LocalModel, LocalModelFailure } from "./local-model.ts"

/** The embedded model as the indexing uses it: a vector for each passage and for each of its units. */
export function localPassageModel(model: Pick<LocalModel, "embedPassages">): PassageModel {
  return {
    name: e5Name,
    textOf: (passage, language) => JSON.stringify(passageText(passage, language)),
    // A batch takes a second or two, after which its progress is told.
    batch: { passages: 16, characters: 40_000 },
    async embed(passages, language) {
      try {
        return await model.embedPassages(passages.map((passage) => passageText(passage, language)))
      } catch (error) {
        if (!(error instanceof LocalModelFailure)) throw error
        const { reason } = error
        throw new Refusal("unavailable", detail("assistant.embeddingFailed"), { reason, cause: error })
      }
    },
  }
}

function passageText(passage: Passage, language: Language): PassageText {
  const units = passageUnits(passage, language)
  return {
    head: [passage.title, ...passage.headings].join(" › "),
    pieces: units.map(({ markdown }) => withoutLinkTargets(markdown)),
  }
}
