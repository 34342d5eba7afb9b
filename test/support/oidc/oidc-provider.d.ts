/** The part of the package that the tests use, which brings no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ params: Record<string, unknown>; session?: { accountId: string } }>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: Record<string, unknown>,
    ): Promise<void>
    readonly Grant: new (of: {
      accountId: string
      clientId: string
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> }
  }

  // biome-ignore lint/style/noDefaultExport: the package has it so
  export { Provider as default }
}
