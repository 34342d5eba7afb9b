/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { render } from "preact-render-to-string"
import type { Project } from "../../accounts/project.ts"
import { messages } from "../messages/shell.fr.ts"
import { assets } from "./assets.ts"
import { Logo, Navigation, type NavigationEntry } from "./navigation.tsx"
import type { PageContext } from "./page-context.ts"
import { htmlReply } from "./reply.ts"

interface PageOptions {
  title: string
  current: NavigationEntry
  /** The project that the page is about, if any. */
  project?: Pick<Project, "id" | "name"> | undefined
  status?: number
  /** Message about the action that led to this page. */
  flash?: string | undefined
  /** Style sheets and scripts of this page alone. */
  head?: ComponentChildren
}

/** A page for a signed-in operator, with the navigation. */
export function page(context: PageContext, options: PageOptions, body: ComponentChildren): Response {
  const { title, current, project = onlyProjectOf(context), status = 200, flash, head } = options
  return htmlReply(
    document(
      project === undefined || title === project.name ? title : `${title} – ${project.name}`,
      <div class="shell">
        <Navigation context={context} current={current} project={project} />
        <main id="content">
          {flash && (
            <p class="done" role="status">
              {flash}
            </p>
          )}
          {body}
        </main>
      </div>,
      head,
    ),
    status,
  )
}

/** In a workspace of a single project, pages about no project show its navigation too. */
function onlyProjectOf({ projects }: PageContext) {
  return projects.length === 1 ? projects[0] : undefined
}

/** A page without navigation, for somebody who is not signed in. */
export function plainPage(
  { title, status = 200, headers }: { title: string; status?: number; headers?: [string, string][] },
  body: ComponentChildren,
): Response {
  const content = (
    <main id="content" class="plain">
      <p class="brand">
        <Logo />
        {messages.console}
      </p>
      <h1>{title}</h1>
      {body}
    </main>
  )
  return htmlReply(document(title, content), status, headers)
}

function document(title: string, body: ComponentChildren, head?: ComponentChildren): string {
  return render(
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} – ${messages.console}`}</title>
        <link rel="icon" href={assets.icon.path} />
        <link rel="stylesheet" href={assets.style.path} />
        <script src={assets.script.path} defer />
        {head}
      </head>
      <body>
        <a class="skip" href="#content">
          {messages.skip}
        </a>
        {body}
      </body>
    </html>,
  )
}
