import { X509Certificate } from "node:crypto"
import { accessSync, constants, readFileSync, statSync } from "node:fs"
import { isIP, isIPv4 } from "node:net"
import { dirname } from "node:path"
import { parsedUrl } from "../base/text.ts"
import type { OutboundProxy } from "../outbound/proxy.ts"
import { type DatabaseServer, parseDatabaseUrl } from "./database-url.ts"

/** Variables of a process, by name. */
export type Environment = Record<string, string | undefined>

/** One setting, an environment variable. */
export interface Setting {
  name: string
  about: string
  initial: string
  secret?: boolean
  /**
   * The part of `Secrets` that takes another value while the program runs, when the settings are read again (SIGHUP).
   * Without it another value is that of the next start.
   */
  reloads?:
    | "database"
    | "storage"
    | "geminiKey"
    | "openaiKey"
    | "smtpUrl"
    | "metricsToken"
    | "oidcClientSecret"
}

/** Plain texts: every reader below stands on them. */
interface PlainReader {
  text(setting: Setting): string
  /** Comma-separated. */
  list(setting: Setting): string[]
  /** A setting for an error message. A value with `@` may hold a password, which must not reach the log. */
  settingText(setting: Setting): string
  problems: string[]
}

export type SettingReader = ReturnType<typeof settingReader>

/**
 * Functions that each read one kind of variable. A bad value adds a line to `problems`, and the function gives
 * a harmless value instead.
 */
export function settingReader(environment: Environment, problems: string[]) {
  const plain = plainReader(environment, problems)
  return {
    text: plain.text,
    list: plain.list,
    problems,
    ...valueReaders(plain),
    ...addressReaders(plain),
    ...secretReaders(plain),
  }
}

function plainReader(environment: Environment, problems: string[]): PlainReader {
  /** An empty variable counts as absent: a line `NAME=` of an env file means that it is not set. */
  function text(setting: Setting): string {
    const value = environment[setting.name]?.trim()
    // An empty file counts as absent too: the systemd unit names files for secrets that may not be set.
    const inFile = setting.secret ? readSecretFile(setting) : ""
    if (value && inFile) problems.push(`${setting.name} and ${setting.name}_FILE are both set: keep one`)
    return value || inFile || setting.initial
  }

  function readSecretFile(setting: Setting): string {
    try {
      return secretFromFile(setting, environment)
    } catch (error) {
      problems.push(`${setting.name}_FILE cannot be read: ${(error as Error).message}`)
      return ""
    }
  }

  function list(setting: Setting): string[] {
    return text(setting)
      .split(",")
      .map((item) => item.trim())
      .filter(Boolean)
  }

  function settingText(setting: Setting): string {
    const value = text(setting)
    return value.includes("@") ? setting.name : `${setting.name}=${value}`
  }

  return { text, list, settingText, problems }
}

/** Numbers, choices, a time zone, a file of certificates. */
function valueReaders({ text, problems }: PlainReader) {
  function integer(setting: Setting, minimum: number, maximum = Number.MAX_SAFE_INTEGER): number {
    const value = text(setting)
    const number = Number(value)
    if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number
    const range = maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum} to ${maximum}`
    problems.push(`${setting.name}=${value} is not a whole number, ${range}`)
    return minimum
  }

  /** Reads `10 MB`, `512 KB`, or a number of bytes. A KB is 1,024 bytes, as in the specification. */
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

  /** Reads a PEM file. Refuses one without a certificate, which trusts no server: every connection would fail. */
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

  return { integer, bytes, oneOf, timezone, certificates }
}

/** Addresses of servers, networks and stores. */
function addressReaders({ text, list, settingText, problems }: PlainReader) {
  function url(setting: Setting): string | undefined {
    const value = text(setting)
    if (!value) return undefined
    if (!httpUrl(value))
      problems.push(`${settingText(setting)} is not an http or https address without account and query`)
    return value.replace(/(?<!\/)\/+$/, "")
  }

  /** Reads the address of a host without a path: the service has its routes at the root. Gives no final slash. */
  function hostUrl(setting: Setting): string | undefined {
    const value = text(setting)
    if (!value) return undefined
    const parsed = httpUrl(value)
    if (parsed && /^\/*$/.test(parsed.pathname) && !/[?#]/.test(value)) return parsed.origin
    const expected = "an http or https address of a host alone, without account, path, query and fragment"
    problems.push(`${settingText(setting)} is not ${expected}: the service cannot stand under a path`)
    return undefined
  }

  /** Reads `s3://bucket/prefix`, with names that need no encoding. */
  function bucket(setting: Setting): { bucket: string; prefix: string } | undefined {
    const value = text(setting)
    if (!value) return undefined
    const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]*)(?:\/(.*))?$/.exec(value) ?? []
    const trimmed = prefix.replace(/\/$/, "")
    if (
      bucket &&
      bucket.length >= 3 &&
      bucket.length <= 63 &&
      /[a-z0-9]$/.test(bucket) &&
      trimmed.length <= 200 &&
      /^(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*)?$/.test(trimmed)
    )
      return { bucket, prefix: trimmed }
    const expected = "s3://bucket or s3://bucket/prefix with letters, digits, dots, - and _"
    problems.push(`${settingText(setting)} is not ${expected}: AWS_ENDPOINT_URL is the address of the store`)
    return undefined
  }

  function addressBlocks(setting: Setting): string[] {
    return list(setting).filter((block) => {
      if (isAddressBlock(block)) return true
      problems.push(`${setting.name}: ${block} is neither an address nor a block such as 10.0.0.0/8`)
      return false
    })
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

  return { url, hostUrl, bucket, addressBlocks, targets }
}

/** Errors never show these values: each is a secret or may hold a password. */
function secretReaders({ text, problems }: PlainReader) {
  function key(setting: Setting): Buffer | undefined {
    const value = text(setting)
    if (!value) return undefined
    const bytes = Buffer.from(value, "base64")
    if (bytes.length !== 32)
      problems.push(`${setting.name} is not 32 bytes in base64 (openssl rand -base64 32)`)
    return bytes
  }

  /** Reads a token of at least 16 characters, which cannot be guessed. */
  function token(setting: Setting): string | undefined {
    const value = text(setting)
    if (value && !/^\S{16,}$/.test(value))
      problems.push(`${setting.name} is not 16 characters or more without spaces (openssl rand -hex 32)`)
    return value || undefined
  }

  function smtpUrl(setting: Setting): string | undefined {
    const value = text(setting)
    if (!value) return undefined
    const parsed = URL.parse(value)
    if (!parsed || !/^smtps?:$/.test(parsed.protocol) || !parsed.hostname)
      problems.push(`${setting.name} is not an address such as smtps://user:password@host:465`)
    return value
  }

  function outboundProxy(setting: Setting): OutboundProxy | undefined {
    const value = text(setting)
    if (!value) return undefined
    const proxy = parseProxy(value)
    if (proxy) return proxy
    problems.push(`${setting.name} is not an address such as http://user:password@proxy.example:3128`)
    return undefined
  }

  function databaseServer(setting: Setting): DatabaseServer | undefined {
    const value = text(setting)
    if (!value) return undefined
    const server = parseDatabaseUrl(value)
    if (!("fault" in server)) return server
    problems.push(`${setting.name} ${server.fault}`)
    return undefined
  }

  return { key, token, smtpUrl, outboundProxy, databaseServer }
}

const unitBytes: Record<string, number> = { "": 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

function parseProxy(text: string): OutboundProxy | undefined {
  const url = parsedUrl(text)
  if (url?.protocol !== "http:" || url.pathname !== "/" || url.search || url.hash) return undefined
  const { href, hostname, port, username, password } = url
  try {
    const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return {
      host: hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(port) || 80,
      url: href,
      authorization: username ? `Basic ${Buffer.from(account).toString("base64")}` : undefined,
    }
  } catch {
    return undefined
  }
}

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
 * Why a folder cannot be written to, or cannot be made if it does not exist. Undefined when it can. The check
 * itself writes and makes nothing.
 */
export function folderProblem(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return "is not a folder"
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== "ENOENT" && code !== "ENOTDIR") return `cannot be written to (${code})`
    const parent = dirname(folder)
    const problem = folderProblem(parent)
    return problem && `cannot be made: ${parent} ${problem}`
  }
}

/**
 * Refuses `10.0.0.0/`, which would be read as a block of 0 bits, all addresses; and an address with a zone
 * (`fe80::1%eth0`), which means something on this machine alone.
 */
function isAddressBlock(block: string): boolean {
  const [address = "", bits, more] = block.split("/")
  const mostBits = isIPv4(address) ? 32 : 128
  const isBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= mostBits)
  return isIP(address) !== 0 && !address.includes("%") && isBits && more === undefined
}

/** Reads a secret from the file that its `…_FILE` variable names; empty without one. Throws as `readFileSync`. */
export function secretFromFile(setting: Setting, environment: Environment): string {
  const file = environment[`${setting.name}_FILE`]
  return file ? readFileSync(file, "utf8").trim() : ""
}
