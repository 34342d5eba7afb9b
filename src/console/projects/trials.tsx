/** @jsxImportSource preact */

import type { AnsweredQuestion } from "../../assistant/ask/answer.ts"
import { tryQuestion } from "../../assistant/evaluation/operations.ts"
import { Checklist } from "../home/checklist.tsx"
import { beginningUntilAsked } from "../home/steps.ts"
import { meaningOf } from "../indexing/meaning.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { type Pages, projectOf } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { words } from "./trial.fr.ts"
import { Trial } from "./trial.tsx"

/** The page where an operator tries a question, and reads why it was answered or not. */
export function trialPages(pages: Pages, deps: ConsoleDeps) {
  const { db, config } = deps

  async function showPage(context: PageContext, trialResult?: AnsweredQuestion): Promise<Response> {
    const project = await projectOf(db, context)
    const beginning = await beginningUntilAsked(deps, context, project)
    return page(
      context,
      { title: words.title, current: "questions", project },
      <>
        <Head
          title={words.title}
          back={{ href: `/console/projects/${project.id}/questions`, name: commonWords.questions }}
        />
        <Trial
          project={project}
          trialResult={trialResult}
          meaning={await meaningOf(deps, project)}
          next={
            beginning && <Checklist project={project} beginning={beginning} publicUrl={config.publicUrl} />
          }
        />
      </>,
    )
  }

  pages
    .at("/console/projects/:project/trials")
    .page("", showPage)
    .performs("", tryQuestion, {
      show: showPage,
      input: (values) => ({ question: values.get("question") ?? "" }),
      leadsTo: (result, context) => showPage(context, result),
    })
}
