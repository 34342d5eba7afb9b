import type { ComponentChildren } from "preact"
import { LinkButton } from "./components.tsx"
import { Snippet } from "./forms/fields.tsx"
import type { NavigationEntry } from "./navigation.tsx"
import type { PageContext } from "./page-context.ts"
import { page } from "./shell.tsx"
import { words } from "./words.fr.ts"

interface ShownOnce {
  heading: string
  current: NavigationEntry
  flash: string
  /** The owner of the secret, if the heading does not name it. */
  of?: string
  notice: string
  label: string
  text: string
  more?: ComponentChildren
  next: string
}

/** Shows a new secret in the response to the request that created it. No other page ever shows it. */
export function shownOnce(context: PageContext, shown: ShownOnce): Response {
  const { heading, current, flash, of, notice, label, text, more, next } = shown
  return page(
    context,
    { title: heading, current, flash },
    <>
      <h1>{heading}</h1>
      <section>
        {of && <p class="hint">{of}</p>}
        <p class="notice">{notice}</p>
        <Snippet label={label} text={text} />
      </section>
      {more}
      <p>
        <LinkButton href={next} label={words.goOn} isMain />
      </p>
    </>,
  )
}
