/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"

/** `language`: shown only while that one is chosen. */
export function Code({ language, code }: { language?: "curl" | "js" | undefined; code: string }) {
  return (
    // Scrollable, hence focusable: keyboards must reach it.
    <pre tabindex={0} class={language}>
      <code>{code}</code>
    </pre>
  )
}

/** A sentence in which text between backquotes is code. */
export function Text({ text }: { text: string }): ComponentChildren {
  return text.split("`").map((part, place) => (place % 2 === 1 ? <code key={part}>{part}</code> : part))
}
