import * as client from "openid-client"
import { cachedFor } from "../../base/cached-for.ts"
import { type Clock, hourMs, secondMs, systemClock } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { OidcSettings } from "../../config/oidc.ts"
import type { Authorities } from "../../outbound/authorities.ts"
import { guardedFetch } from "../../outbound/guarded-fetch.ts"
import type { OutboundProxy } from "../../outbound/proxy.ts"
import { isEmail, normaliseEmail } from "../operator.ts"

/** The provider of the settings, over OpenID Connect: authorization code with PKCE, state and nonce. */
export interface Provider {
  settings: OidcSettings
  /** Where the browser is sent, and what its answer is held against. Throws Refusal `unavailable`. */
  begin(): Promise<{ address: string; checks: Checks }>
  /** Who the answer proves. Throws Refusal: `unauthorized`, with the reason for the log; `unavailable`. */
  finish(answer: string, checks: Checks): Promise<ProvenIdentity>
  /** Where a browser ends its session at the provider; undefined where there is no such address, or no reply. */
  endOfSession(idToken: string, state: string): Promise<string | undefined>
}

/** Secrets of one sign-in: only the browser that began it has them, sealed. */
export interface Checks {
  state: string
  nonce: string
  verifier: string
}

/** A person as the provider has just proven them. `subject` alone says who it is. */
export interface ProvenIdentity {
  issuer: string
  subject: string
  /** Normalised, in the order of the provider. */
  emails: string[]
  isEmailVerified: boolean
  /** Undefined where the provider tells nothing of groups; `elsewhere` where it says that they are too many to tell. */
  groups: string[] | "elsewhere" | undefined
  idToken: string
}

export interface ProviderDeps {
  clock: Clock
  authorities: Authorities
  config: {
    publicUrl: string
    oidc: OidcSettings | undefined
    secrets: { oidcClientSecret: string | undefined; outboundProxy: OutboundProxy | undefined }
  }
}

type AuthMethod = "basic" | "post"
const authentications = { basic: client.ClientSecretBasic, post: client.ClientSecretPost } as const

export const callbackPath = "/console/sign-in/oidc/callback"
export const signedOutPath = "/console/sign-in/oidc/signed-out"

/** By OpenID Connect Core, part 2. */
const maxSubject = 255
const maxTexts = 1000
const maxEmails = 10
const timeoutSeconds = 10
/** An address holds it: longer ones are not kept. */
const maxIdToken = 6000

/** Undefined where the settings name none. Its metadata is read at the first sign-in, and every hour. */
export function openProvider(deps: ProviderDeps): Provider | undefined {
  const { config } = deps
  const settings = config.oidc
  if (!settings) return undefined
  const { configuration, exchange } = openExchange(deps, settings)

  async function readIdentity(answer: string, checks: Checks): Promise<ProvenIdentity> {
    const { read, tokens } = await exchange(answer, checks)
    const claims = tokens.claims()
    if (!claims || !tokens.id_token) throw new TypeError("no_id_token")
    if (claims.sub.length > maxSubject) throw new TypeError("long_subject")
    if (
      settings &&
      settings.acr.length > 0 &&
      !textsIn(claims["acr"]).some((acr) => settings.acr.includes(acr))
    )
      throw new Refusal("forbidden", detail("accounts.weakProof"), {
        reason: "acr is not one that is required",
      })
    const more = read.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(read, tokens.access_token, claims.sub)
      : {}
    const allClaims: Record<string, unknown> = { ...claims, ...more }
    return {
      issuer: claims.iss,
      subject: claims.sub,
      emails: textsIn(allClaims["email"]).filter(isEmail).slice(0, maxEmails).map(normaliseEmail),
      isEmailVerified: isVerified(allClaims["email_verified"], settings?.trustsEmail === true),
      groups: groupsIn(allClaims),
      idToken: tokens.id_token.length <= maxIdToken ? tokens.id_token : "",
    }
  }

  return {
    settings,
    async begin() {
      const read = await configuration()
      const announced = read.serverMetadata()
      const checks = { state: client.randomState(), nonce: client.randomNonce(), verifier: "" }
      // A provider that does not announce PKCE may refuse what it does not know: the nonce alone binds the code then.
      if (announced.supportsPKCE()) checks.verifier = client.randomPKCECodeVerifier()
      const asksForGroups = settings.groups.length > 0 && announced.scopes_supported?.includes("groups")
      const address = client.buildAuthorizationUrl(read, {
        redirect_uri: `${config.publicUrl}${callbackPath}`,
        scope: asksForGroups ? "openid email groups" : "openid email",
        state: checks.state,
        nonce: checks.nonce,
        ...(checks.verifier && {
          code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
          code_challenge_method: "S256",
        }),
        ...(settings.acr.length > 0 && { acr_values: settings.acr.join(" ") }),
      })
      return { address: address.href, checks }
    },
    finish: (answer, checks) => readIdentity(answer, checks).catch(refuse),
    async endOfSession(idToken, state) {
      const read = await configuration().catch(() => undefined)
      if (!read?.serverMetadata().end_session_endpoint) return undefined
      return client.buildEndSessionUrl(read, {
        ...(idToken && { id_token_hint: idToken }),
        post_logout_redirect_uri: `${config.publicUrl}${signedOutPath}`,
        state,
      }).href
    },
  }
}

/** Exchanges codes for tokens, with the metadata of the provider and the method by which it knows the client. */
function openExchange({ clock, authorities, config }: ProviderDeps, settings: OidcSettings) {
  const { issuer } = settings
  const send = guardedFetch({
    ownOrigin: new URL(issuer).origin,
    ca: authorities.pem,
    proxy: config.secrets.outboundProxy,
  })
  const plainly = new URL(issuer).protocol === "http:" ? [client.allowInsecureRequests] : []

  const metadata = cachedFor(hourMs, async () => {
    const options = { [client.customFetch]: send, timeout: timeoutSeconds, execute: plainly }
    const read = await client.discovery(new URL(issuer), settings.clientId, undefined, client.None(), options)
    const server = read.serverMetadata()
    // The library lets the issuer of every tenant of a cloud pass for that of one.
    if (new URL(server.issuer).href !== new URL(issuer).href) throw new TypeError("issuer_mismatch")
    return server
  })

  /** The last method by which the client was known. A provider announces its own methods, not that of a client. */
  let provenMethod: AuthMethod | undefined

  /** Basic is the standard's default (OpenID Connect Discovery, part 3). The other one follows `invalid_client`. */
  async function authMethods(): Promise<readonly [AuthMethod, AuthMethod]> {
    const announced = (await metadata()).token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    const first = provenMethod ?? (announced.includes("client_secret_basic") ? "basic" : "post")
    return first === "basic" ? ["basic", "post"] : ["post", "basic"]
  }

  /** For one sign-in. Throws Refusal `unavailable` if the metadata is unreadable or not the issuer's. */
  async function configuration(method: AuthMethod = "basic"): Promise<client.Configuration> {
    const server = await metadata().catch((error: unknown) => {
      throw unavailable(failureReason(error))
    })
    // Tokens are dated by the clock of the service, which is the database's where nodes share one.
    const clockSkew = Math.round((clock.now() - systemClock.now()) / secondMs)
    const made = new client.Configuration(
      server,
      settings?.clientId ?? "",
      { [client.clockSkew]: clockSkew },
      authentications[method](config.secrets.oidcClientSecret ?? ""),
    )
    made[client.customFetch] = send
    made.timeout = timeoutSeconds
    for (const extend of [client.enableNonRepudiationChecks, ...plainly]) extend(made)
    return made
  }

  async function tokensFor(
    read: client.Configuration,
    answer: string,
    { state, nonce, verifier }: Checks,
  ): Promise<Awaited<ReturnType<typeof client.authorizationCodeGrant>>> {
    return client.authorizationCodeGrant(read, new URL(`${config.publicUrl}${callbackPath}${answer}`), {
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      ...(verifier && { pkceCodeVerifier: verifier }),
    })
  }

  /** A client that is not known has spent no code: the other method may still exchange it. */
  async function exchange(answer: string, checks: Checks) {
    const [first, other] = await authMethods()
    let method = first
    let read = await configuration(method)
    const tokens = await tokensFor(read, answer, checks).catch(async (error: unknown) => {
      if (!isUnknownClient(error)) throw error
      method = other
      read = await configuration(method)
      return tokensFor(read, answer, checks)
    })
    provenMethod = method
    return { read, tokens }
  }

  return { configuration, exchange }
}

/** Directories with one value give a text, with several a list, with none no claim. */
function textsIn(claim: unknown): string[] {
  const list = Array.isArray(claim) ? claim.slice(0, maxTexts) : [claim]
  return list.filter((each) => typeof each === "string")
}

/** A list is verified if each of its values is. */
function isVerified(claim: unknown, isTrusted: boolean): boolean {
  const list = Array.isArray(claim) ? claim : [claim ?? isTrusted]
  return list.length > 0 && list.every((each) => each === true || each === "true")
}

/** A provider with too many groups points elsewhere (`_claim_names`), which is not « no groups ». */
function groupsIn(told: Record<string, unknown>): ProvenIdentity["groups"] {
  if (told["groups"] !== undefined && told["groups"] !== null) return textsIn(told["groups"])
  const elsewhere = told["_claim_names"]
  const isElsewhere = typeof elsewhere === "object" && elsewhere !== null && "groups" in elsewhere
  return isElsewhere ? "elsewhere" : undefined
}

function isUnknownClient(error: unknown): boolean {
  if (error instanceof client.ResponseBodyError) return error.error === "invalid_client"
  // The library reads `WWW-Authenticate` alone where there is one, as the standard asks of a refused Basic.
  return error instanceof client.WWWAuthenticateChallengeError && error.status === 401
}

/** Tells the reason by codes: messages and causes of the library hold claims and tokens. */
function refuse(error: unknown): never {
  if (error instanceof Refusal) throw error
  if (error instanceof client.AuthorizationResponseError) {
    const isDenied = error.error === "access_denied"
    const explanation = isDenied ? detail("accounts.providerDenied") : detail("accounts.providerFailed")
    throw new Refusal("unauthorized", explanation, { reason: `the provider answered ${plain(error.error)}` })
  }
  if (error instanceof client.ResponseBodyError)
    throw failed(`the provider answered ${plain(error.error)} to the code`)
  if (error instanceof client.WWWAuthenticateChallengeError)
    throw failed(`the provider answered ${error.status} with a challenge`)
  if (error instanceof client.ClientError && !isUnreachable(error.code)) throw failed(failureReason(error))
  throw unavailable(failureReason(error))
}

function unavailable(reason: string): Refusal {
  return new Refusal("unavailable", detail("accounts.providerUnavailable"), { reason, retryAfterSeconds: 30 })
}

function failureReason(error: unknown): string {
  if (error instanceof client.ClientError)
    return [plain(error.code), failedClaim(error)].filter(Boolean).join(" ")
  return plain(error instanceof TypeError ? error.message : String((error as { code?: unknown }).code))
}

function failed(reason: string): Refusal {
  return new Refusal("unauthorized", detail("accounts.providerFailed"), { reason })
}

function isUnreachable(code: string | undefined): boolean {
  return code === "OAUTH_TIMEOUT" || code === "OAUTH_ABORT"
}

function failedClaim({ cause }: client.ClientError): string {
  const { cause: details } = (cause ?? {}) as { cause?: { claim?: unknown } }
  return typeof details?.claim === "string" ? plain(details.claim) : ""
}

/** A word of the protocol, never free text. */
function plain(word: string | undefined): string {
  return word !== undefined && /^[\w.-]{1,60}$/.test(word) ? word : "something else"
}
