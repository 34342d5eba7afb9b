import type { Clock } from "../../src/base/clock.ts"
import { type ConsoleClient, password } from "./operator.ts"
import { totpCode } from "./totp.ts"

export const twoFactorPage = "/console/account/two-factor"

/** Value of a hidden field of a page. */
export const fieldIn = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1]?.replaceAll("&amp;", "&") ?? ""

/** Base32, as the page shows it where no camera is. */
export const secretIn = (text: string) =>
  (/<code>((?:[A-Z2-7]{4} ?){8})<\/code>/.exec(text)?.[1] ?? "").replaceAll(" ", "")

/** Adds an authenticator app, and gives its secret and the recovery codes. */
export async function enrolApp(client: ConsoleClient, clock: Clock, present = password) {
  const { text } = await client.get(twoFactorPage)
  const [sealed, secret] = [fieldIn(text, "sealed"), secretIn(text)]
  const code = totpCode(secret, clock.now())
  const shown = await client.post(twoFactorPage, { sealed, code, present_password: present })
  return { secret, codes: shown.text.match(/[a-z2-9]{4}(-[a-z2-9]{4}){5}/g) ?? [], shown }
}
