import type { Project } from "../../accounts/project.ts"
import { WidgetCode } from "../appearance/installation.tsx"
import { LinkButton } from "../kit/components.tsx"
import { usePage } from "../kit/page-context.ts"
import { FirstEndpoint } from "../webhooks/first-endpoint.tsx"
import { reachedEndpoints } from "./project-parts.ts"
import type { Beginning, Step } from "./steps.ts"
import { words } from "./words.fr.ts"

interface ChecklistProps {
  project: Pick<Project, "id" | "site">
  publicUrl: string
  beginning: Beginning
}

/** The steps of a new project, for those who may take them: in place, where that is possible. */
export function Checklist(props: ChecklistProps) {
  const { steps } = props.beginning
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length || !usePage().may("editor")) return null
  return (
    <section aria-labelledby="start">
      <h2 id="start">
        {words.start} <small>{words.stepsDone(done, steps.length)}</small>
      </h2>
      <ol class="checklist">
        {steps.map(({ name, isDone, isNext, href }) => (
          <li key={name} class={isDone ? "checked" : undefined}>
            <div>
              {isDone ? words.step[name] : <a href={href}>{words.step[name]}</a>}{" "}
              <span class="sr">({isDone ? words.done : words.toDo})</span>
              {!isDone && <div class="hint">{words.stepHint[name]}</div>}
              {isNext && <InPlace {...props} name={name} />}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** What there is to do for a step, without leaving the page. */
function InPlace({ project, publicUrl, beginning, name }: ChecklistProps & Pick<Step, "name">) {
  switch (name) {
    case "widget":
      return <WidgetCode projectId={project.id} publicUrl={publicUrl} />
    case "question":
      return (
        <p>
          <LinkButton href={project.site} label={words.openSite} target="_blank" rel="noopener noreferrer" />
        </p>
      )
    case "delivery":
      return reachedEndpoints(beginning).length === 0 ? (
        <FirstEndpoint endpoints={beginning.endpoints} project={project.id} />
      ) : null
    default:
      return null
  }
}
