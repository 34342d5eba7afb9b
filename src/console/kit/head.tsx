import type { ComponentChildren } from "preact"
import { Icon } from "./icon.tsx"

interface HeadProps {
  title: string
  back?: { href: string; name: string }
  beside?: ComponentChildren
  /** The actions of this page, at the right end of the line. */
  actions?: ComponentChildren
  children?: ComponentChildren
}

export function Head({ title, back, beside, actions, children }: HeadProps) {
  return (
    <div class="head">
      {back && (
        <a class="back" href={back.href}>
          <Icon name="back" />
          {back.name}
        </a>
      )}
      <div class="line">
        <h1>{title}</h1>
        {beside}
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children && <p class="intro">{children}</p>}
    </div>
  )
}
