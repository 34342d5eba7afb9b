import { sealedAttempt } from "../../accounts/oidc/attempt.ts"
import type { Provider } from "../../accounts/oidc/provider.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { nextPage, seeOther } from "../kit/reply.ts"
import { attemptCookie } from "../kit/session/cookie.ts"

/** The page that joins an identity to one's own account. */
export const identityAddress = "/console/account/identity"

/** Longer ones would not fit into a cookie. */
const maxNext = 1000

/** Sends the browser to the provider, and back to `next`; `joins`: a session's hash. Throws Refusal `unavailable`. */
export async function sendToProvider(
  { vault, clock, config }: Pick<ConsoleDeps, "vault" | "clock" | "config">,
  provider: Provider,
  { next, joins }: { next: string; joins?: string },
): Promise<Response> {
  const { address, checks } = await provider.begin()
  const attempt = { ...checks, next: nextPage(next.length > maxNext ? "" : next), joins }
  const sealed = sealedAttempt(vault, attempt, clock.now())
  return seeOther(address, [["set-cookie", attemptCookie(sealed, new URL(config.publicUrl))]])
}
