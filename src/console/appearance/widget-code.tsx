/** @jsxImportSource preact */
import { Snippet } from "../kit/forms/fields.tsx"
import { messages } from "../messages/appearance.fr.ts"

/** The line that shows the widget of a project on a page. */
export function WidgetCode({ projectId, publicUrl }: { projectId: string; publicUrl: string }) {
  const code = `<script src="${publicUrl}/widget.js" data-project="${projectId}" defer></script>`
  return <Snippet label={messages.snippet} text={code} />
}
