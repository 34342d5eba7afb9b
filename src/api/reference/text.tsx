import type { ComponentChildren } from "preact"
import { words } from "./words.fr.ts"

interface CodeProps {
  title?: string
  /** Shown only while that one is chosen. */
  language?: "curl" | "js" | undefined
  code: string
}

/** The script shows its button where the browser offers the clipboard. */
export function Code({ title, language, code }: CodeProps) {
  return (
    <figure class={language}>
      <figcaption>{title ?? names[language ?? "js"]}</figcaption>
      <button type="button" hidden data-copy data-copied={words.copied}>
        {words.copy}
      </button>
      {/* Scrollable, hence focusable: keyboards must reach it. */}
      <pre tabindex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}

const names = { curl: "curl", js: "JavaScript" }

/** A sentence in which text between backquotes is code. */
export function Text({ text }: { text: string }): ComponentChildren {
  return text.split("`").map((part, place) => (place % 2 === 1 ? <code key={part}>{part}</code> : part))
}
