import type { AnsweredQuestion } from "../../answering/ask/answer.ts"
import { tryQuestion } from "../../owners/evaluation/operations.ts"
import { Checklist } from "../home/checklist.tsx"
import { firstSteps, isAsked } from "../home/steps.ts"
import { readMeaning } from "../indexing/meaning.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { performs, projectInAddress } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { WriteAnswer } from "../questions/write-answer.tsx"
import { words } from "./trial.fr.ts"
import { TrialForm, Tried, Why } from "./trial.tsx"

/** The page where an operator tries a question, and reads why it was answered or not. */
export function trialPages(deps: ConsoleDeps) {
  const { db, config } = deps

  async function showPage(context: PageContext, trialResult?: AnsweredQuestion): Promise<Response> {
    const project = await projectInAddress(db, context)
    const isUnasked = (await isAsked(deps, context, project)) === false
    const beginning = isUnasked && (await firstSteps(deps, context, project))
    const question = context.submitted.values.get("question")?.trim() ?? ""
    return page(
      context,
      { title: words.title, current: "questions", project },
      <>
        <Head
          title={words.title}
          back={{ href: `/console/projects/${project.id}/questions`, name: commonWords.questions }}
        />
        <section id="trial" aria-label={words.title}>
          <TrialForm project={project} />
          {trialResult && <Tried {...trialResult} />}
          {trialResult && trialResult.result.status !== "answered" && (
            <p>
              <WriteAnswer projectId={project.id} question={question} />
            </p>
          )}
        </section>
        {trialResult && (
          <Why
            {...trialResult}
            project={project}
            question={question}
            meaning={await readMeaning(deps, project)}
          />
        )}
        {beginning && <Checklist project={project} beginning={beginning} publicUrl={config.publicUrl} />}
      </>,
    )
  }

  return {
    page: showPage,
    tryQuestion: performs(tryQuestion, {
      show: showPage,
      leadsTo: (result, context) => showPage(context, result),
    }),
  }
}
