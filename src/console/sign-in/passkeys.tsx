import { addPasskey, removePasskey } from "../../accounts/second-factor/operations.ts"
import { listPasskeys, type Passkey } from "../../accounts/second-factor/passkeys.ts"
import { creationOptions } from "../../accounts/second-factor/relying-party.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { useDate } from "../kit/dates.tsx"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { PasskeyFields, PasskeyScript, passkeyForm } from "../kit/session/passkey-form.tsx"
import { PresentPassword } from "../kit/session/sign-in-page.tsx"
import { page } from "../kit/shell.tsx"
import { SettingsHead } from "../settings/settings-head.tsx"
import { words } from "./account.fr.ts"
import { MustEnrol, recoveryCodesPage } from "./two-factor.tsx"

export const passkeysAddress = "/console/account/passkeys"

export function passkeyPages(deps: ConsoleDeps) {
  async function showPage(context: PageContext): Promise<Response> {
    const { operator } = context.session
    const passkeys = await listPasskeys(deps.db, operator.id)
    const options = creationOptions(deps, { operator, present: passkeys }, context.nowMs)
    const flash = { added: words.passkeyAdded, removed: words.passkeyRemoved }
    return page(
      context,
      { title: words.passkeys, current: "settings", flash, head: <PasskeyScript /> },
      <>
        <SettingsHead current="account" />
        <MustEnrol />
        <p class="intro">{words.passkeysIntro}</p>
        <Problem />
        {passkeys.length > 0 && <List passkeys={passkeys} />}
        {options === undefined ? (
          <p class="notice">{words.passkeysNeedName}</p>
        ) : (
          <>
            <Form action={passkeysAddress} only="credential" attributes={passkeyForm("create", options)}>
              <h2>{words.addPasskey}</h2>
              <Field name="name" label={words.passkeyName} hint={words.passkeyNameHint} />
              <PresentPassword />
              <PasskeyFields send={words.addPasskey}>
                <p class="hint">{words.othersSignedOut}</p>
              </PasskeyFields>
            </Form>
            <p class="notice" data-without-passkeys>
              {words.passkeysNeedScript}
            </p>
          </>
        )}
        {passkeys.length > 0 && (
          <Form action={`${passkeysAddress}/removal`} only="passkey" send={words.removePasskey} look="grave">
            <h2>{words.removePasskey}</h2>
            <Field
              name="passkey"
              label={words.passkey}
              choices={passkeys.map(({ id, name }) => [id, name])}
            />
            <PresentPassword prefix="removal-" />
          </Form>
        )}
      </>,
    )
  }

  return {
    page: showPage,
    addPasskey: performs(addPasskey, {
      show: showPage,
      ids: ({ session }) => ({ session: session.hash }),
      leadsTo: (codes, context) =>
        codes
          ? recoveryCodesPage(context, codes, words.passkeyAdded, passkeysAddress)
          : `${passkeysAddress}?done=added`,
    }),
    removePasskey: performs(removePasskey, {
      show: showPage,
      ids: ({ values }) => ({ passkey: values.get("passkey") ?? "" }),
      leadsTo: () => `${passkeysAddress}?done=removed`,
    }),
  }
}

function List({ passkeys }: { passkeys: readonly Passkey[] }) {
  const date = useDate()
  return (
    <section aria-label={words.passkeys}>
      <ul class="rows people">
        {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
          <li key={id}>
            <div class="person">
              <strong>{name}</strong>
              <span class="hint">
                {words.addedAt(date(createdAt))}
                {lastUsedAt === null ? words.neverUsed : words.usedAt(date(lastUsedAt))}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
