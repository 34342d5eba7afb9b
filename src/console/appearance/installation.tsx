import type { Project } from "../../accounts/project.ts"
import { Tag } from "../kit/components.tsx"
import { Snippet } from "../kit/forms/fields.tsx"
import { words } from "./words.fr.ts"

interface InstallationProps {
  project: Project
  publicUrl: string
  /** Time since a page loaded the widget; null when none ever did. */
  seenAgoMs: number | null
}

export function Installation({ project, publicUrl, seenAgoMs }: InstallationProps) {
  return (
    <section aria-labelledby="installation">
      <h2 id="installation">
        {words.installation}{" "}
        <Tag mood={seenAgoMs === null ? "warn" : "good"}>
          {seenAgoMs === null ? words.unseen : words.seen(seenAgoMs)}
        </Tag>
      </h2>
      {seenAgoMs === null && <p class="hint">{words.unseenHint}</p>}
      <WidgetCode projectId={project.id} publicUrl={publicUrl} />
    </section>
  )
}

/** The line that shows the widget of a project on a page. */
export function WidgetCode({ projectId, publicUrl }: { projectId: string; publicUrl: string }) {
  const code = `<script src="${publicUrl}/widget.js" data-project="${projectId}" defer></script>`
  return <Snippet label={words.snippet} text={code} />
}
