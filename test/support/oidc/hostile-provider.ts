import { createHmac, createSign, generateKeyPairSync, type KeyObject } from "node:crypto"
import { mustEnd } from "../leaks.ts"

/** A provider on loopback that answers every code with the tokens that a test has forged. */
export interface HostileProvider extends Disposable {
  issuer: string
  /** Of the next identity token; a function is given the nonce that was asked for. */
  forge(claims: Record<string, unknown>, how?: Forgery): void
  /** What else it may answer with from now on: the replies of its paths. */
  replies: Map<string, () => Response>
  /** Metadata in place of its own. */
  metadata: Record<string, unknown>
  /** Codes that came to be exchanged. */
  codes: string[]
}

interface Forgery {
  alg?: "RS256" | "none" | "HS256"
  /** Signed by a key that its metadata does not name. */
  isStrangeKey?: boolean
  /** Claims of `userinfo`. */
  userinfo?: Record<string, unknown>
}

export const hostileSecret = "un secret entre le service et son fournisseur"

export function startHostileProvider(): HostileProvider {
  const ended = mustEnd("a hostile OpenID provider")
  const own = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const strange = generateKeyPairSync("rsa", { modulusLength: 2048 })
  let token = ""
  let userinfo: Record<string, unknown> = {}

  const paths: Record<string, () => Response> = {
    "/.well-known/openid-configuration": () =>
      Response.json({
        issuer: itself.issuer,
        authorization_endpoint: `${itself.issuer}/authorize`,
        token_endpoint: `${itself.issuer}/token`,
        userinfo_endpoint: `${itself.issuer}/userinfo`,
        jwks_uri: `${itself.issuer}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
        code_challenge_methods_supported: ["S256"],
        ...itself.metadata,
      }),
    "/keys": () =>
      Response.json({
        keys: [{ ...own.publicKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: "one" }],
      }),
    "/token": () =>
      Response.json({
        access_token: "opens-userinfo",
        token_type: "Bearer",
        expires_in: 60,
        id_token: token,
      }),
    "/userinfo": () => Response.json(userinfo),
  }
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === "/token")
        itself.codes.push(new URLSearchParams(await request.text()).get("code") ?? "")
      return (itself.replies.get(pathname) ?? paths[pathname])?.() ?? new Response("", { status: 404 })
    },
  })
  const itself: HostileProvider = {
    issuer: `http://127.0.0.1:${server.port}`,
    replies: new Map(),
    metadata: {},
    codes: [],
    forge(claims, { alg = "RS256", isStrangeKey = false, userinfo: told = {} } = {}) {
      token = signed({ alg, kid: "one" }, claims, (isStrangeKey ? strange : own).privateKey)
      userinfo = { sub: claims["sub"], ...told }
    },
    [Symbol.dispose]() {
      void server.stop(true)
      ended()
    },
  }
  return itself
}

function signed(header: { alg: string; kid: string }, claims: object, key: KeyObject): string {
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".")
  return `${text}.${signatureOf(header.alg, text, key)}`
}

function signatureOf(alg: string, text: string, key: KeyObject): string {
  if (alg === "none") return ""
  // The secret that both sides share, or the public key taken for one.
  if (alg === "HS256") return createHmac("sha256", hostileSecret).update(text).digest("base64url")
  return createSign("RSA-SHA256").update(text).sign(key).toString("base64url")
}
