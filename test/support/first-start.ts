import { newSetupLink } from "../../src/accounts/setup-link.ts"
import { openAuthority } from "./authority.ts"
import { type DocumentationSite, startDocumentationSite } from "./documentation-site.ts"
import { freePort } from "./port.ts"
import { type Receiver, settingsFor, startReceiver } from "./receiver.ts"
import { type Service, startService } from "./service.ts"

/**
 * A new service that nobody can sign in to yet; the owner's documentation site, and the owner's application
 * over TLS.
 */
export interface FirstStart extends AsyncDisposable {
  service: Service
  site: DocumentationSite
  receiver: Receiver
  /** Of this service's own address. */
  setupLink(): Promise<string>
}

export async function startFirst(): Promise<FirstStart> {
  const site = startDocumentationSite()
  const authority = openAuthority()
  const receiver = await startReceiver(authority, "hooks.acme.fr")
  const service = await startService({
    ...settingsFor(authority, receiver),
    GUICHET_FEED_ALLOW_PRIVATE: "true",
    // The address that widget and forms call is told beforehand.
    GUICHET_PORT: String(await freePort()),
  })
  const { app, url } = service
  return {
    service,
    site,
    receiver,
    async setupLink() {
      const link = await newSetupLink({ db: app.db, publicUrl: url }, app.clock.now())
      if (!link) throw new Error("there is an operator already")
      return link
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
      authority[Symbol.dispose]()
    },
  }
}
