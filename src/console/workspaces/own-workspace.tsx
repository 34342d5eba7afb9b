/** @jsxImportSource preact */
import type { PageContext } from "../kit/page-context.ts"
import { messages } from "../messages/workspaces.fr.ts"

/** Says, where a first project is made, that another customer can have a workspace instead, and where. */
export function OwnWorkspace({ context }: { context: PageContext }) {
  if (!context.may("owner")) return null
  return (
    <p class="intro">
      {messages.ownForCustomer} <a href="/console/settings/workspaces/new">{messages.ownForCustomerWay}</a>
      {messages.ownForCustomerWhy}
    </p>
  )
}
