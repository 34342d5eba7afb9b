import { generateKeyPairSync } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import Provider from "oidc-provider"
import { mustEnd } from "../leaks.ts"

/** A person who has an account at the provider. */
export interface ProviderPerson {
  sub: string
  email?: string | string[]
  email_verified?: boolean | string | boolean[]
  groups?: string | string[] | null
  /** Where claims stand that are too large for a token, as Entra ID says it. */
  _claim_names?: Record<string, string>
  _claim_sources?: Record<string, object>
  /** How strongly they are proven. */
  acr?: string
}

/** An OpenID provider on loopback, a real one, that signs in whoever stands before it. */
export interface OpenIdProvider extends AsyncDisposable {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who the next sign-in proves; null: the person gives up. */
  person: ProviderPerson | null
  /** Requests that came, as `GET /auth`. */
  requests: string[]
}

interface Options {
  publicUrl: string
  /** Replies with the person's claims as a signed token, as ProConnect does. */
  signsUserinfo?: boolean
  /** How the client is registered to prove itself, and what the provider announces for all of its clients. */
  authMethod?: AuthMethod
  authMethods?: readonly AuthMethod[]
}

type AuthMethod = "client_secret_basic" | "client_secret_post"

export async function startProvider({
  publicUrl,
  signsUserinfo,
  authMethod = "client_secret_basic",
  authMethods = ["client_secret_basic", "client_secret_post"],
}: Options): Promise<OpenIdProvider> {
  const ended = mustEnd("an OpenID provider")
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const people = new Map<string, ProviderPerson>()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "guichet",
        client_secret: "un secret entre le service et son fournisseur",
        redirect_uris: [`${publicUrl}/console/sign-in/oidc/callback`],
        post_logout_redirect_uris: [`${publicUrl}/console/sign-in/oidc/signed-out`],
        token_endpoint_auth_method: authMethod,
        ...(signsUserinfo && { userinfo_signed_response_alg: "RS256" }),
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: "one" }] },
    clientAuthMethods: authMethods,
    cookies: { keys: ["a key of the provider's cookies"] },
    claims: { openid: ["sub", "acr"], email: ["email", "email_verified"], groups: ["groups"] },
    scopes: ["openid", "email", "groups"],
    acrValues: ["eidas1", "eidas2"],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      jwtUserinfo: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: { body: string }, form: string) => {
          context.body = form
        },
      },
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => people.get(sub) ?? { sub } }),
    renderError: (context: { body: string }, { error }: { error: string }) => {
      context.body = error
    },
  })
  const itself: OpenIdProvider = {
    issuer,
    clientId: "guichet",
    clientSecret: "un secret entre le service et son fournisseur",
    person: null,
    requests: [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      ended()
    },
  }
  const handle = provider.callback()

  function answer(request: IncomingMessage, response: ServerResponse): void {
    // A browser looks for one whenever it likes.
    if (request.url === "/favicon.ico") {
      response.writeHead(204).end()
      return
    }
    itself.requests.push(`${request.method} ${request.url?.split("?")[0]}`)
    const isBasic = request.headers.authorization?.startsWith("Basic ") === true
    if (request.url === "/token" && isBasic !== (authMethod === "client_secret_basic")) {
      // This provider itself takes either; Ory Hydra holds a client to its own method.
      const headers = { "content-type": "application/json", ...(isBasic && { "www-authenticate": "Basic" }) }
      response.writeHead(401, headers).end(JSON.stringify({ error: "invalid_client" }))
      return
    }
    if (request.url?.startsWith("/interaction/")) void finish(request, response)
    else handle(request, response)
  }

  /** The person is known by sight, and agrees to everything. */
  async function finish(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { person } = itself
    if (!person) {
      await provider.interactionFinished(request, response, { error: "access_denied" })
      return
    }
    people.set(person.sub, person)
    const { params, session } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({
      accountId: session?.accountId ?? person.sub,
      clientId: String(params["client_id"]),
    })
    grant.addOIDCScope(String(params["scope"]))
    const login = { accountId: person.sub, ...(person.acr && { acr: person.acr }) }
    await provider.interactionFinished(request, response, { login, consent: { grantId: await grant.save() } })
  }

  return itself
}
