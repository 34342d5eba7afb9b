/** @jsxImportSource preact */

import { messages } from "../messages/shell.fr.ts"
import { Snippet } from "./fields.tsx"
import type { NavigationEntry } from "./navigation.tsx"
import type { Visit } from "./page-context.ts"
import { page } from "./shell.tsx"

interface ShownOnce {
  heading: string
  current: NavigationEntry
  done: string
  /** What it belongs to, where the heading does not say it. */
  of?: string
  /** That it is to be copied now. */
  notice: string
  label: string
  text: string
  /** The page to go on with. */
  next: string
}

/**
 * A secret, in the answer to the very request that made it: no address leads here, and no other page shows
 * it.
 */
export function shownOnce(visit: Visit, shown: ShownOnce): Response {
  const { heading, current, done, of, notice, label, text, next } = shown
  return page(
    visit,
    { title: heading, current, done },
    <>
      <h1>{heading}</h1>
      <section>
        {of && <p class="hint">{of}</p>}
        <p class="notice">{notice}</p>
        <Snippet label={label} text={text} />
      </section>
      <p>
        <a class="button" href={next}>
          {messages.goOn}
        </a>
      </p>
    </>,
  )
}
