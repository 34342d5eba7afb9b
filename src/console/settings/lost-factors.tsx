import { removeLostFactors, requireTakable } from "../../accounts/second-factor/lost-factors.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form, Problem } from "../kit/forms/fields.tsx"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { PresentPassword } from "../kit/session/sign-in-page.tsx"
import { page } from "../kit/shell.tsx"
import { words } from "./words.fr.ts"

const people = "/console/settings/operators"

/** An owner takes the second factor from a member who has lost it. */
export function lostFactorsPages({ db }: ConsoleDeps) {
  async function showPage(context: PageContext): Promise<Response> {
    const { workspaceId, params: ids, session, held } = context
    const caller = { id: session.operator.id, held }
    const { id, email } = await requireTakable(db, { workspaceId, ids, caller }, context.nowMs)
    return page(
      context,
      { title: words.takeFactors, current: "settings" },
      <>
        <Head title={words.takeFactors} back={{ href: people, name: words.tabs.operators }}>
          {words.takeFactorsMeans(email)}
        </Head>
        <Form action={`${people}/${id}/second-factor-removal`} send={words.takeFactorsSend} look="grave">
          <Problem />
          <PresentPassword label={words.ownPassword} />
        </Form>
      </>,
    )
  }

  return {
    page: showPage,
    removeLostFactors: performs(removeLostFactors, {
      show: showPage,
      leadsTo: () => `${people}?done=factors`,
    }),
  }
}
