import { parsedUrl } from "../base/text.ts"
import { isLocalUrl } from "../outbound/public-address.ts"
import type { Setting, SettingReader } from "./parse.ts"
import { settings } from "./settings.ts"

/** An OpenID provider by which operators sign in. */
export interface OidcSettings {
  /** With a final slash only where the provider writes it so. */
  issuer: string
  clientId: string
  /** For people. */
  name: string
  /** Domains of verified e-mail addresses whose holders are made an account unasked, in lower case. */
  domains: string[]
  /** Roles in the default workspace by group; empty: groups decide nothing. */
  groups: { group: string; role: OidcRole }[]
  /** Whether a sign-in without the claim of groups leaves a role that groups gave. */
  keepsRoleWithoutGroups: boolean
  /** Authentication context classes, one of which is required; empty: any. */
  acr: string[]
  /** Whether an address counts as verified where the provider does not say. */
  trustsEmail: boolean
}

const roles = ["viewer", "editor", "owner"] as const
type OidcRole = (typeof roles)[number]

/** Undefined where no issuer is set. Password sign-in cannot be off then. */
export function oidcSettings(read: SettingReader, publicUrl: string): OidcSettings | undefined {
  const issuer = read.text(settings.oidcIssuer)
  const passwords = read.oneOf(settings.passwordSignIn, ["on", "off"])
  const trust = read.oneOf(settings.oidcTrustEmail, ["on", "off"])
  const withoutGroups = read.oneOf(settings.oidcWithoutGroups, ["viewer", "keep"])
  const groups = groupsIn(read)
  if (!issuer) {
    if (passwords === "off")
      read.problems.push(`${settings.passwordSignIn.name}=off needs ${settings.oidcIssuer.name}`)
    return undefined
  }
  const url = parsedUrl(issuer)
  if (!url || !isSafe(issuer) || url.search || url.hash || url.username || url.password)
    read.problems.push(`${settings.oidcIssuer.name} is not an https address without account and query`)
  if (!isSafe(publicUrl))
    read.problems.push(`${settings.oidcIssuer.name} needs an https ${settings.publicUrl.name}`)
  for (const needed of [settings.oidcClientId, settings.oidcClientSecret] as Setting[])
    if (!read.text(needed)) read.problems.push(`${settings.oidcIssuer.name} needs ${needed.name}`)
  return {
    issuer,
    clientId: read.text(settings.oidcClientId),
    name: read.text(settings.oidcName) || (url?.hostname ?? ""),
    domains: read.list(settings.oidcDomains).map((domain) => domain.replace(/^@/, "").toLowerCase()),
    groups,
    keepsRoleWithoutGroups: withoutGroups === "keep",
    acr: read.list(settings.oidcAcr),
    trustsEmail: trust === "on",
  }
}

/** A group may hold an equals sign: those of a directory do. */
function groupsIn(read: SettingReader): OidcSettings["groups"] {
  return read.list(settings.oidcGroups).flatMap((item) => {
    const [, group, name] = /^(.+)=([a-z]+)$/.exec(item) ?? []
    const role = roles.find((each) => each === name)
    if (group && role) return [{ group, role }]
    read.problems.push(`${settings.oidcGroups.name}: ${item} is not group=role with ${roles.join(", ")}`)
    return []
  })
}

/** Plain http is for a trial on this machine. */
function isSafe(address: string): boolean {
  return /^https:\/\//.test(address) || (/^http:\/\//.test(address) && isLocalUrl(address))
}
