import { newSetupLink } from "../../src/accounts/setup-link.ts"
import { openAuthority } from "./authority.ts"
import { type DocumentationSite, startDocumentationSite } from "./documentation-site.ts"
import { freePort } from "./port.ts"
import { type Receiver, settingsFor, startReceiver } from "./receiver.ts"
import type { Part, Service } from "./service.ts"

/**
 * A new service that nobody can sign in to yet; the owner's documentation site, and the owner's application
 * over TLS.
 */
export interface FirstStart extends Service {
  site: DocumentationSite
  receiver: Receiver
  /** Of this service's own address. */
  setupLink(): Promise<string>
}

/** For `aService().withOwner()`. */
export const owner: Part<FirstStart> = async (plan) => {
  const authority = plan.resources.use(openAuthority())
  const receiver = plan.resources.use(await startReceiver(authority, "hooks.acme.fr"))
  const site = plan.resources.use(startDocumentationSite())
  plan.settings = {
    ...settingsFor(authority, receiver),
    GUICHET_FEED_ALLOW_PRIVATE: "true",
    // The address that widget and forms call is told beforehand.
    GUICHET_PORT: String(await freePort()),
    ...plan.settings,
  }
  return async ({ app, url }) => ({
    site,
    receiver,
    async setupLink() {
      const link = await newSetupLink({ db: app.db, publicUrl: url }, app.clock.now())
      if (!link) throw new Error("there is an operator already")
      return link
    },
  })
}
