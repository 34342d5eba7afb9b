import type { ComponentChildren } from "preact"
import { assetPath } from "../assets.ts"
import { QuietButton } from "../components.tsx"
import { words } from "./sign-in.fr.ts"

interface PasskeyFields {
  send: string
  children?: ComponentChildren
}

/** Attributes of a form that asks a device by the script `passkeys.js`; without it the form stays hidden. */
export function passkeyForm(kind: "get" | "create", options: object) {
  return { hidden: true, "data-passkey": kind, "data-options": JSON.stringify(options) }
}

export function PasskeyFields({ send, children }: PasskeyFields) {
  return (
    <>
      <input type="hidden" name="credential" value="" />
      {children}
      <p class="problem" role="alert" data-passkey-problem hidden>
        {words.passkeyFailed}
      </p>
      <QuietButton label={send} />
    </>
  )
}

export function PasskeyScript() {
  return <script src={assetPath("passkeys.js")} defer />
}
