import { joinIdentity, removeIdentity, requireProof } from "../../accounts/oidc/operations.ts"
import type { Provider } from "../../accounts/oidc/provider.ts"
import { LinkButton, Section } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form, Problem } from "../kit/forms/fields.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { PresentPassword } from "../kit/session/sign-in-page.tsx"
import { page } from "../kit/shell.tsx"
import { SettingsHead } from "../settings/settings-head.tsx"
import { words } from "./account.fr.ts"
import { identityAddress, sendToProvider } from "./to-provider.ts"

const beginAddress = `${identityAddress}/begin`
const removalAddress = `${identityAddress}/removal`
const accountAddress = "/console/settings/account"

/** Pages where an operator joins an identity of the OpenID provider to their own account. */
export function identityPages(deps: ConsoleDeps, provider: Provider) {
  const { vault } = deps
  const { name } = provider.settings

  /** Shows whose identity it is: another person may have signed in to the provider in this browser. */
  function confirmPage(context: PageContext): Response {
    const { session, submitted, query, nowMs } = context
    const sealed = submitted.values.get("proof") ?? query["proof"] ?? ""
    const { email } = requireProof(vault, sealed, session.hash, nowMs)
    return page(
      context,
      { title: words.identity(name), current: "settings" },
      <>
        <SettingsHead current="account" />
        <Form action={identityAddress} send={words.identityJoin}>
          <h2>{words.identityJoin}</h2>
          <p>{words.identityConfirm(email)}</p>
          <Problem />
          <input type="hidden" name="proof" value={sealed} />
          <PresentPassword />
        </Form>
      </>,
    )
  }

  /** A refused form is shown again where the identities are removed. */
  function removalPage(context: PageContext): Response {
    return page(
      context,
      { title: words.identity(name), current: "settings" },
      <>
        <SettingsHead current="account" />
        <Form action={removalAddress} send={words.identityPart}>
          <h2>{words.identityPart}</h2>
          <Problem />
          <PresentPassword />
        </Form>
      </>,
    )
  }

  return {
    begin: ({ session }: PageContext) => sendToProvider(deps, provider, { next: "", joins: session.hash }),
    page: confirmPage,
    joinIdentity: performs(joinIdentity, {
      show: confirmPage,
      ids: ({ session }) => ({ session: session.hash }),
      leadsTo: () => `${accountAddress}?done=joined`,
    }),
    removalPage,
    removeIdentity: performs(removeIdentity, {
      show: removalPage,
      leadsTo: () => `${accountAddress}?done=parted`,
    }),
  }
}

interface IdentityProps {
  name: string
  publicUrl: string
  isJoined: boolean
}

/** On the page of one's own account. At the public address, which the provider leads back to. */
export function Identity({ name, publicUrl, isJoined }: IdentityProps) {
  return (
    <Section title={words.identity(name)}>
      <p>{isJoined ? words.identityKept(name) : words.identityNone(name)}</p>
      <p>
        <LinkButton
          href={isJoined ? removalAddress : `${publicUrl}${beginAddress}`}
          label={isJoined ? words.identityPart : words.identityJoin}
        />
      </p>
    </Section>
  )
}
