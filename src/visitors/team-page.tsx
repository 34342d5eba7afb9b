import { findProject, type Project } from "../accounts/project.ts"
import { findWidgetSettings } from "../accounts/widget/settings.ts"
import { pageStyle } from "../accounts/widget/style.ts"
import { teamPagePath } from "../answering/chosen/team-answer-url.ts"
import { isoTime } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import type { FormDeps } from "../forms/deps.ts"
import { clientReader, visitorAddress } from "../http/client.ts"
import type { RequestContext } from "../http/routes.ts"
import type { Limit } from "../limits/limit.ts"
import { openMeter } from "../limits/meter.ts"
import type { ChosenAnswer } from "../owners/chosen/chosen-answer.ts"
import { teamPage } from "../owners/chosen/chosen-answer.ts"
import { markdownHtml } from "../style/markdown.ts"
import { asPage } from "./form-pages/as-page.ts"
import { page } from "./form-pages/shell.tsx"
import { words } from "./words.fr.ts"

const ofVisitor = { key: "team-page", points: 60, per: "minute", on: "visitor" } as const satisfies Limit
/** Counted by each node for itself. */
const ofProject = { key: "team-page", points: 600, per: "minute", on: "project" } as const satisfies Limit

/** `/q/:project`: the answers that the team of a project wrote and that cite no page. They cite this one. */
export function teamPageHandler({
  db,
  log,
  clock,
  config,
}: Pick<FormDeps, "db" | "log" | "clock" | "config">) {
  const clientAddress = clientReader(config.trustedProxies)
  const [visitors, projects] = [openMeter(ofVisitor), openMeter(ofProject)]
  return ({ request, params, query }: RequestContext<"project">) =>
    asPage(request, log, words.teamTitle, async () => {
      const at = { timezone: config.timezone, nowMs: clock.now() }
      const tooMany = detail("assistant.tooManyRequests")
      visitors.take(visitorAddress(clientAddress(request)), at, tooMany)
      const project = await findProject(db, params.project)
      if (project) projects.take(project.id, at, tooMany)
      const from = query["from"]?.slice(0, maxIdLength)
      const { answers, next } = project ? await teamPage(db, project.id, from) : { answers: [], next: null }
      if (!project || answers.length === 0) throw new Refusal("not_found", detail("assistant.noTeamPage"))
      const path = teamPagePath(project.id)
      return page(
        {
          status: 200,
          title: words.teamTitle,
          site: { name: project.name, url: project.site },
          style: pageStyle((await findWidgetSettings(db, project.id)).settings),
          // Further portions are parts of the same page.
          ...(project.teamPageListed && { listedAt: `${config.publicUrl}${path}` }),
        },
        <>
          {answers.map((answer) => (
            <TeamAnswer key={answer.id} project={project} answer={answer} timezone={config.timezone} />
          ))}
          {next && (
            <p>
              <a href={`${path}?from=${next}`}>{words.teamMore}</a>
            </p>
          )}
        </>,
      )
    })
}

/** Longer than any id. */
const maxIdLength = 64

interface TeamAnswerProps {
  project: Project
  answer: ChosenAnswer
  timezone: string
}

function TeamAnswer({ project, answer, timezone }: TeamAnswerProps) {
  const { id, questions, changedAt } = answer
  const day = new Intl.DateTimeFormat("fr", { timeZone: timezone, dateStyle: "long" }).format(changedAt)
  return (
    <section id={id} lang={project.language}>
      <h2>{questions[0]}</h2>
      <div dangerouslySetInnerHTML={{ __html: markdownHtml(answer.answer) }} />
      <p class="written" lang="fr">
        {words.teamWrote({ project: project.name })} <time dateTime={isoTime(changedAt)}>{day}</time>
      </p>
    </section>
  )
}
