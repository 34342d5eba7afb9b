import { X509Certificate } from "node:crypto"
import { accessSync, constants, readFileSync, statSync } from "node:fs"
import { isIP, isIPv4 } from "node:net"
import { dirname } from "node:path"
import { parsedUrl } from "../base/text.ts"

export type Environment = Record<string, string | undefined>

/** One variable. */
export interface Setting {
  name: string
  about: string
  initial: string
  secret?: boolean
}

/** Reads variables; what is wrong with one is added to `problems`, and something harmless comes back. */
export function reader(environment: Environment, problems: string[]) {
  /** An empty variable counts as absent: that is what an unset line of an env file gives. */
  function text(setting: Setting): string {
    const value = environment[setting.name]?.trim()
    // So does an empty file: a unit names the files of secrets that nobody may have set.
    const inFile = setting.secret ? readSecretFile(setting) : ""
    if (value && inFile) problems.push(`${setting.name} and ${setting.name}_FILE are both set: keep one`)
    return value || inFile || setting.initial
  }

  function readSecretFile(setting: Setting): string {
    try {
      return fileOf(setting, environment)
    } catch (error) {
      problems.push(`${setting.name}_FILE cannot be read: ${(error as Error).message}`)
      return ""
    }
  }

  function integer(setting: Setting, minimum: number, maximum = Number.MAX_SAFE_INTEGER): number {
    const value = text(setting)
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number
    const range = maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum} to ${maximum}`
    problems.push(`${setting.name}=${value} is not a whole number, ${range}`)
    return minimum
  }

  /** `10 MB`, `512 KB`, or bytes alone. A KB is 1,024 bytes, as in the specification. */
  function bytes(setting: Setting, minimum: number): number {
    const value = text(setting)
    const [, digits, unit = ""] =
      /^(\d{1,9})[ ]?(KB|MB|GB)?$/i.exec(value) ?? /^(\d{1,15})$/.exec(value) ?? []
    const number = Number(digits ?? -1) * (unitBytes[unit.toUpperCase()] as number)
    if (number >= minimum) return number
    problems.push(`${setting.name}=${value} is not a size such as 10 MB, ${minimum} bytes or more`)
    return minimum
  }

  function oneOf<Choice extends string>(setting: Setting, choices: readonly Choice[]): Choice {
    const value = text(setting)
    const choice = choices.find((candidate) => candidate === value)
    if (choice === undefined) problems.push(`${setting.name}=${value} is not one of ${choices.join(", ")}`)
    return choice ?? (setting.initial as Choice)
  }

  function url(setting: Setting): string | undefined {
    const value = text(setting)
    if (!value) return undefined
    if (!httpUrl(value))
      problems.push(`${shown(setting)} is not an http or https address without account and query`)
    return value.replace(/(?<!\/)\/+$/, "")
  }

  /** Where a host is, without a slash at the end: what is served has its own paths, from the root on. */
  function hostUrl(setting: Setting): string | undefined {
    const value = text(setting)
    if (!value) return undefined
    const parsed = httpUrl(value)
    if (parsed && /^\/*$/.test(parsed.pathname) && !/[?#]/.test(value)) return parsed.origin
    const wanted = "an http or https address of a host alone, without account, path, query and fragment"
    problems.push(`${shown(setting)} is not ${wanted}: the service cannot stand under a path`)
    return undefined
  }

  /** A password before the @ is not to be written to the log. */
  function shown(setting: Setting): string {
    const value = text(setting)
    return value.includes("@") ? setting.name : `${setting.name}=${value}`
  }

  function list(setting: Setting): string[] {
    return text(setting)
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean)
  }

  function addressBlocks(setting: Setting): string[] {
    return list(setting).filter((block) => {
      if (isAddressBlock(block)) return true
      problems.push(`${setting.name}: ${block} is neither an address nor a block such as 10.0.0.0/8`)
      return false
    })
  }

  function timezone(setting: Setting): string {
    const value = text(setting)
    try {
      new Intl.DateTimeFormat("fr", { timeZone: value })
    } catch {
      problems.push(`${setting.name}=${value} is not a time zone such as Europe/Paris`)
      return setting.initial
    }
    return value
  }

  function key(setting: Setting): Buffer | undefined {
    const value = text(setting)
    if (!value) return undefined
    const bytes = Buffer.from(value, "base64")
    if (bytes.length !== 32)
      problems.push(`${setting.name} is not 32 bytes in base64 (openssl rand -base64 32)`)
    return bytes
  }

  /** Long enough that nobody finds it by trying. */
  function token(setting: Setting): string | undefined {
    const value = text(setting)
    if (value && !/^\S{16,}$/.test(value))
      problems.push(`${setting.name} is not 16 characters or more without spaces (openssl rand -hex 32)`)
    return value || undefined
  }

  /** Its value is never shown: it holds a password. */
  function smtpUrl(setting: Setting): string | undefined {
    const value = text(setting)
    if (!value) return undefined
    const parsed = URL.parse(value)
    if (!parsed || !/^smtps?:$/.test(parsed.protocol) || !parsed.hostname)
      problems.push(`${setting.name} is not an address such as smtps://user:password@host:465`)
    return value
  }

  /** `name=203.0.113.7:443`, `name=[2001:db8::7]:443`, comma-separated. */
  function targets(setting: Setting): { host: string; ip: string; port: number }[] {
    return list(setting).flatMap((item) => {
      const [, host = "", bracketed, plain, port] =
        /^([\w.-]+)=(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})$/.exec(item) ?? []
      const ip = bracketed ?? plain ?? ""
      if (isIP(ip) && Number(port) >= 1 && Number(port) <= 65_535)
        return [{ host: host.toLowerCase(), ip, port: Number(port) }]
      problems.push(`${setting.name}: ${item} is not name=ip:port`)
      return []
    })
  }

  /** What a PEM file holds. One without a certificate trusts nobody: every connection would fail. */
  function certificates(setting: Setting): string | undefined {
    const path = text(setting)
    if (!path) return undefined
    try {
      const pem = readFileSync(path, "utf8")
      if (!holdsCertificates(pem)) problems.push(`${setting.name}=${path} holds no certificate in PEM`)
      return pem
    } catch (error) {
      problems.push(`${setting.name} cannot be read: ${(error as Error).message}`)
      return undefined
    }
  }

  return {
    token,
    smtpUrl,
    targets,
    certificates,
    text,
    integer,
    bytes,
    oneOf,
    url,
    hostUrl,
    addressBlocks,
    timezone,
    key,
  }
}

const unitBytes: Record<string, number> = { "": 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** An address without account, query and fragment. */
function httpUrl(value: string): URL | undefined {
  const url = parsedUrl(value)
  if (!url || !/^https?:$/.test(url.protocol) || `${url.username}${url.password}` !== "") return undefined
  return url.search || url.hash ? undefined : url
}

function holdsCertificates(pem: string): boolean {
  const begin = "-----BEGIN CERTIFICATE-----"
  const [, ...blocks] = pem.split(begin)
  try {
    return blocks.map((block) => new X509Certificate(begin + block)).length > 0
  } catch {
    return false
  }
}

/**
 * Why nothing can be written to a folder, or it cannot be made; undefined when it can. Nothing is written or
 * made.
 */
export function folderTrouble(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return "is not a folder"
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== "ENOENT" && code !== "ENOTDIR") return `cannot be written to (${code})`
    const above = dirname(folder)
    const trouble = folderTrouble(above)
    return trouble && `cannot be made: ${above} ${trouble}`
  }
}

/**
 * `10.0.0.0/` would be a block of 0 bits, which holds everybody; an address with a zone is one of this
 * machine's alone.
 */
function isAddressBlock(block: string): boolean {
  const [address = "", bits, more] = block.split("/")
  const mostBits = isIPv4(address) ? 32 : 128
  const isBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= mostBits)
  return isIP(address) !== 0 && !address.includes("%") && isBits && more === undefined
}

/** What the file of a secret holds; empty when none is named. Throws when it cannot be read. */
export function fileOf(setting: Setting, environment: Environment): string {
  const file = environment[`${setting.name}_FILE`]
  return file ? readFileSync(file, "utf8").trim() : ""
}
