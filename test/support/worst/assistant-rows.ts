import { foldedQuestion } from "../../../src/answering/ask/store-answer.ts"
import { newId } from "../../../src/base/ids.ts"
import type { assistantTables } from "../../../src/db/tables/assistant.ts"
import { synonymLimits } from "../../../src/index/synonyms/synonym-group.ts"
import { chosenLimits } from "../../../src/owners/chosen/chosen-answer.ts"
import { setLimits } from "../../../src/owners/evaluation/question-set.ts"
import { isAmongLast, type WorstIds } from "./ids.ts"
import type { WorstRows } from "./rows.ts"
import { nearly, text, words } from "./texts.ts"

const long = { questions: 300 }

const source = (n: number) => ({
  n,
  title: nearly(200),
  section: nearly(200),
  url: pageUrl(n),
})

function pageUrl(at: number): string {
  return `https://docs.exemple.fr/${at}/${nearly(400)}`
}

export function assistantRows(of: WorstIds): Pick<WorstRows, keyof typeof assistantTables> {
  const results = JSON.stringify(
    Array.from({ length: setLimits.questions }, (_, at) => ({
      id: `eval_worst${at}`,
      outcome: "unanswered",
    })),
  )
  return {
    visited_page: "no list shows them",
    feed: {
      rows: of.feeds.length,
      row: (at) => ({
        id: of.feeds[at] as string,
        address: `https://docs.exemple.fr/${at}/${nearly(1900)}`,
        kind: "site",
        settings: JSON.stringify({
          include: Array(20).fill(nearly(200)),
          exclude: Array(20).fill(nearly(200)),
        }),
      }),
    },
    document: {
      rows: of.pages.length,
      row: (at) => ({
        id: of.pages[at] as string,
        page: `https://docs.exemple.fr/${at}/${nearly(400)}`,
        path: `${at}/${nearly(400)}`,
        url: pageUrl(at),
        title: text(at, 300),
        hash: `h${at}`,
        since: 1,
        until: null,
      }),
    },
    left_out_page: {
      rows: of.pages.length,
      row: (at) => ({
        feed_id: of.feed,
        page: `https://docs.exemple.fr/${at}/${nearly(400)}`,
        reason: "empty",
        detail: null,
        detail_code: null,
        detail_params: null,
      }),
    },
    indexing_run: "a project has one",
    indexing_request: "a project has one",
    unfinished_reading: "no list shows it",
    unfinished_page: "no list shows them",
    generation: "no list shows them",
    archive: "no list shows them",
    archive_part: "no list shows them",
    passage_vector: "no list shows them",
    chosen_answer: {
      rows: of.chosens.length,
      row: (at) => ({
        id: of.chosens[at] as string,
        answer: text(at, chosenLimits.answerLength),
        sources: JSON.stringify(
          Array.from({ length: chosenLimits.sources }, (_, n) => pageUrl(chosenLimits.sources * at + n)),
        ),
        missing: chosenLimits.sources,
        set_aside_at: of.nowMs,
      }),
    },
    chosen_question: {
      rows: 10 * of.chosens.length,
      row: (at) => ({
        chosen_id: of.chosens[Math.floor(at / 10)] as string,
        place: at % 10,
        question: words(1000),
        model: null,
        vector: null,
      }),
    },
    answer: {
      rows: 2 * of.questions.length,
      row: (all) => {
        // As many again in another project, none of which is what a filter looks for.
        const isOther = all >= of.questions.length
        const at = all % of.questions.length
        const question = at < of.questions.length - 4000 ? nearly(1000) : words(980)
        const isLongOne = isAmongLast(at, of.questions, long.questions)
        return {
          id: isOther ? (of.questions[at] as string).replace(/.$/, "1") : (of.questions[at] as string),
          project_id: isOther ? (of.projects[0] as string) : of.project,
          question,
          folded: foldedQuestion(question),
          page: `/${words(120).replaceAll(" ", "/")}`,
          status: at % 2 === 0 && !isOther ? "no_answer" : "answered",
          answer: isLongOne && !isOther ? nearly(20_000) : "a",
          sources:
            at % 2 === 0
              ? "[]"
              : JSON.stringify(Array.from({ length: isLongOne ? 10 : 1 }, (_, n) => source(at + n))),
          related: at % 2 === 0 ? JSON.stringify(Array.from({ length: 3 }, (_, n) => source(n))) : null,
          // One visitor went on for ever.
          conversation: at % 3 === 0 ? (of.questions[0] as string) : null,
          chosen_id: at % 4 === 1 ? (of.chosens[at % of.chosens.length] as string) : null,
          courtesy: null,
          useful: isOther ? 0 : null,
          gap: null,
          created_at: of.nowMs,
        }
      },
    },
    synonym_group: {
      rows: synonymLimits.groups - 1,
      row: (at) => ({
        id: `syn_worst${at}`,
        words: JSON.stringify(
          Array.from({ length: synonymLimits.words }, () => words(synonymLimits.wordLength)),
        ),
      }),
    },
    gap_mail: {
      rows: of.operators.length,
      row: (at) => ({ project_id: of.project, operator_id: of.operators[at] as string, since: of.nowMs }),
    },
    evaluation_question: {
      rows: setLimits.questions - 1,
      row: (at) => ({
        id: `eval_worst${at}`,
        question: text(at, setLimits.questionLength),
        page: `/${nearly(2000)}`,
        text: nearly(setLimits.textLength),
      }),
    },
    evaluation_run: {
      rows: 59,
      row: (at) => ({
        id: newId("run", of.nowMs - 60 + at),
        ended_at: of.nowMs,
        results: results,
        total: 500,
        passed: 0,
        lost: 500,
        is_accepted: 0,
      }),
    },
  }
}
