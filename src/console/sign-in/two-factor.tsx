import { hasSecondFactor, readSecondFactors } from "../../accounts/second-factor/factors.ts"
import { addTotp, removeTotp, renewRecoveryCodes } from "../../accounts/second-factor/operations.ts"
import { newTotpEnrolment, openEnrolment, type TotpEnrolment } from "../../accounts/second-factor/totp.ts"
import { qrCode } from "../forms/share.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, Form, Problem, Snippet } from "../kit/forms/fields.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { PresentPassword } from "../kit/session/sign-in-page.tsx"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { SettingsHead } from "../settings/settings-head.tsx"
import { words } from "./account.fr.ts"

export const twoFactorAddress = "/console/account/two-factor"

/** The page of the authenticator app and the recovery codes of one's own account. */
export function twoFactorPages({ db, vault, config }: ConsoleDeps) {
  /** A wrong code is typed again for the secret that the app knows by now. */
  function enrolment({ session, submitted }: PageContext): TotpEnrolment {
    const of = { vault, operator: session.operator, publicUrl: config.publicUrl }
    try {
      return openEnrolment(submitted.values.get("sealed") ?? "", of)
    } catch {
      return newTotpEnrolment(vault, session.operator, config.publicUrl)
    }
  }

  async function showPage(context: PageContext): Promise<Response> {
    const factors = await readSecondFactors(db, context.session.operator.id)
    const flash = { added: words.totpAdded, removed: words.totpRemoved }
    return page(
      context,
      { title: words.twoFactor, current: "settings", flash },
      <>
        <SettingsHead current="account" />
        <MustEnrol />
        <p class="intro">{words.twoFactorIntro}</p>
        {factors.hasTotp ? <p>{words.hasTotp}</p> : <Enrolment {...enrolment(context)} />}
        {factors.passkeys === 0 && (
          <p>
            <a href="/console/account/passkeys">{words.orPasskey}</a>
          </p>
        )}
        {hasSecondFactor(factors) && <RecoveryCodes left={factors.recoveryCodesLeft} />}
        {factors.hasTotp && <Removal />}
      </>,
    )
  }

  return {
    page: showPage,
    addTotp: performs(addTotp, {
      show: showPage,
      ids: ({ session }) => ({ session: session.hash }),
      leadsTo: (codes, context) =>
        codes
          ? recoveryCodesPage(context, codes, words.totpAdded, twoFactorAddress)
          : `${twoFactorAddress}?done=added`,
    }),
    removeTotp: performs(removeTotp, { show: showPage, leadsTo: () => `${twoFactorAddress}?done=removed` }),
    renewRecoveryCodes: performs(renewRecoveryCodes, {
      show: showPage,
      leadsTo: (codes, context) =>
        recoveryCodesPage(context, codes, words.recoveryCodesRenewed, twoFactorAddress),
    }),
  }
}

function Enrolment({ sealed, secret, uri }: TotpEnrolment) {
  const picture = `data:image/svg+xml;base64,${Buffer.from(qrCode(uri)).toString("base64")}`
  return (
    <Form action={twoFactorAddress} send={words.addTotp}>
      <h2>{words.addTotp}</h2>
      <Problem />
      <input type="hidden" name="sealed" value={sealed} />
      <p>{words.scan}</p>
      <figure class="qr">
        <img src={picture} alt={words.qrAlt} width="176" height="176" />
      </figure>
      <Snippet label={words.secret} text={secret.replace(/(.{4})(?=.)/g, "$1 ")} />
      <Field name="code" label={words.totpCode} autocomplete="one-time-code" />
      <PresentPassword />
      <p class="hint">{words.othersSignedOut}</p>
    </Form>
  )
}

function RecoveryCodes({ left }: { left: number }) {
  return (
    <Form action={`${twoFactorAddress}/recovery-codes`} send={words.renewCodes} look="quiet">
      <h2>{words.recoveryCodes}</h2>
      <p>{words.codesLeft(left)}</p>
      <OwnProblem of="/recovery-codes" />
      <PresentPassword prefix="codes-" />
    </Form>
  )
}

function Removal() {
  return (
    <Form action={`${twoFactorAddress}/removal`} send={words.removeTotp} look="grave">
      <h2>{words.removeTotp}</h2>
      <OwnProblem of="/removal" />
      <PresentPassword prefix="removal-" />
    </Form>
  )
}

/** Says why no other page opens, to a member of a workspace that asks for a second factor. */
export function MustEnrol() {
  const { session } = usePage()
  return session.mustEnrol ? <p class="notice">{words.mustEnrol(session.workspace.name)}</p> : null
}

/** Shows new recovery codes this once. */
export function recoveryCodesPage(context: PageContext, codes: string[], flash: string, next: string) {
  return shownOnce(context, {
    heading: words.recoveryCodes,
    current: "settings",
    flash,
    notice: words.recoveryCodesOnce,
    label: words.recoveryCodes,
    text: codes.join("\n"),
    next,
  })
}

/** The two forms have the same field: each shows the problem of its own address. */
function OwnProblem({ of }: { of: string }) {
  return new URL(usePage().request.url).pathname.endsWith(of) ? <Problem /> : null
}
