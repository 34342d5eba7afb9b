import type { Project } from "../accounts/project.ts"
import { oneLine } from "../base/text.ts"
import type { Db } from "../db/connection.ts"
import { responsesByDay } from "../forms/responses/daily-responses.ts"
import type { NewMail } from "../mail/outbox.ts"
import type { SetRun } from "../owners/evaluation/set-run.ts"
import { type GapMails, listGapMailOperators } from "../owners/gaps/gap-mails.ts"
import type { OwnerMailDeps } from "./owner-mails.ts"
import { words } from "./words.fr.ts"

/** The mails about a project's questions, to the operators that its owner chose. */
export interface QuestionMails extends GapMails {
  /** Says that fewer questions of the evaluation set are answered as expected than before. */
  evaluationFell(project: Project, run: SetRun): Promise<void>
}

/** Gaps of one mail, and characters of each: the console shows the others. */
const maxGaps = 10
const maxCharacters = 160

export function questionMails({ db, clock, mailer, config }: OwnerMailDeps): QuestionMails {
  const consoleAddress = ({ id }: Project, page: string) =>
    `${config.publicUrl}/console/projects/${id}/questions/${page}`

  /** The mails are `about` the project, so that they go when it is removed or its questions are purged. */
  async function queueAll(
    transaction: Db,
    to: readonly string[],
    project: Project,
    mail: Pick<NewMail, "subject" | "text">,
  ) {
    for (const email of to) {
      const queued = { workspaceId: project.workspaceId, about: project.id, to: email, ...mail }
      if (!(await mailer.queue(transaction, queued, clock.now()))) return false
    }
    return true
  }

  return {
    configured: mailer.configured,
    wake: mailer.wake,
    async countReceived({ id }, span) {
      const [received = 0] = (await responsesByDay(db, [id], [span])).get(id) ?? []
      return received
    },
    week(transaction, to, project, { gaps, ...counts }) {
      const link = consoleAddress(project, "gaps")
      const lines = gaps
        .slice(0, maxGaps)
        .map(({ question, times }) => words.gap(oneLine(question, maxCharacters), times))
      if (gaps.length > maxGaps) lines.push(words.moreGaps(gaps.length - maxGaps))
      const counted = words.weekCounts(counts)
      return queueAll(transaction, to, project, {
        subject: words.weekSubject(counted, project.name),
        text: words.week({
          site: project.name,
          counted,
          gaps: lines.length === 0 ? "" : words.gaps({ lines: lines.join("\n"), link }),
          home: `${config.publicUrl}/console/projects/${project.id}`,
          stop: `${link}?mails#mails`,
        }),
      })
    },
    async evaluationFell(project, { passed, total, lost }) {
      if (!mailer.configured) return
      await db.transaction().execute(async (transaction) => {
        const operators = await listGapMailOperators(transaction, project)
        const to = operators.map(({ email }) => email)
        const link = consoleAddress(project, "evaluation")
        await queueAll(transaction, to, project, {
          subject: words.evaluationSubject(project.name),
          text: words.evaluation({ site: project.name, passed, total, lost, link }),
        })
      })
      mailer.wake()
    },
  }
}
