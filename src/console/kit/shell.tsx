import type { ComponentChildren } from "preact"
import { render } from "preact-render-to-string"
import type { Project } from "../../accounts/project.ts"
import { assetPath } from "./assets.ts"
import { flashMessage } from "./flash.ts"
import { type SubmittedForm, untouched } from "./forms/submitted-form.ts"
import { Logo, Navigation, type NavigationEntry } from "./navigation.tsx"
import { CurrentPage, type PageContext, Submitted } from "./page-context.ts"
import { htmlReply } from "./reply.ts"
import { lastProjectIn, projectCookie } from "./session/cookie.ts"
import { words } from "./words.fr.ts"

interface PageOptions {
  title: string
  current: NavigationEntry
  project?: Pick<Project, "id" | "name"> | undefined
  /** By default that of the submitted form. */
  status?: number | undefined
  /** Message about the action that led to this page: its sentence, or the sentences that `?done=` chooses from. */
  flash?: string | Record<string, string> | undefined
  head?: ComponentChildren
}

/** A page for a signed-in operator, with the navigation. */
export function page(context: PageContext, options: PageOptions, body: ComponentChildren): Response {
  const { title, current, project = onlyProject(context), flash, head } = options
  const { submitted } = context
  const { request } = context
  const shownId = options.project?.id
  // The pages of the workspace go on showing its menu.
  const isRemembered = shownId === undefined || lastProjectIn(request) === shownId
  const done = typeof flash === "object" ? flashMessage(context.query, flash) : flash
  return htmlReply(
    document(
      project === undefined || title === project.name ? title : `${title} – ${project.name}`,
      <CurrentPage.Provider value={context}>
        <div class="shell">
          <Navigation current={current} project={project ?? context.lastProject} />
          <main id="content">
            <Flash told={done} />
            <Submitted.Provider value={submitted}>{body}</Submitted.Provider>
          </main>
        </div>
      </CurrentPage.Provider>,
      head,
    ),
    options.status ?? submitted.status,
    isRemembered ? [] : [["set-cookie", projectCookie(request, shownId)]],
  )
}

/** Tells what the action that led to the page has brought about. */
function Flash({ told }: { told: string | undefined }) {
  if (!told) return null
  return (
    <p class="done" role="status">
      {told}
    </p>
  )
}

/** In a workspace of a single project, pages about no project show its navigation too. */
function onlyProject({ projects }: PageContext) {
  return projects.length === 1 ? projects[0] : undefined
}

interface PlainPageOptions {
  title: string
  submitted?: SubmittedForm
  /** By default that of the submitted form. */
  status?: number
  headers?: [string, string][]
  flash?: string | undefined
  head?: ComponentChildren
}

/** A page without navigation, for visitors who are not signed in. */
export function plainPage(
  { title, headers, flash, submitted = untouched, status = submitted.status, head }: PlainPageOptions,
  body: ComponentChildren,
): Response {
  const content = (
    <main id="content" class="plain">
      <p class="brand">
        <Logo />
        {words.console}
      </p>
      <h1>{title}</h1>
      <Flash told={flash} />
      <Submitted.Provider value={submitted}>{body}</Submitted.Provider>
    </main>
  )
  return htmlReply(document(title, content, head), status, headers)
}

function document(title: string, body: ComponentChildren, head?: ComponentChildren): string {
  return render(
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} – ${words.console}`}</title>
        <link rel="icon" href={assetPath("icon.svg")} />
        <link rel="stylesheet" href={assetPath("style.css")} />
        <script src={assetPath("console.js")} defer />
        {head}
      </head>
      <body>
        <a class="skip" href="#content">
          {words.skip}
        </a>
        {body}
      </body>
    </html>,
  )
}
