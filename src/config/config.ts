import { resolve } from "node:path"
import { secondMs } from "../base/clock.ts"
import { UsageError } from "../base/errors.ts"
import { nearest } from "../base/near-words.ts"
import { oidcSettings } from "./oidc.ts"
import {
  type Environment,
  folderProblem,
  type Setting,
  type SettingReader,
  secretFromFile,
  settingReader,
} from "./parse.ts"
import { settings } from "./settings.ts"
import { tracingHeaders, tracingSettings } from "./tracing.ts"

/**
 * An undefined address is the provider's own. Without an embedding model, passages are found by their words
 * alone.
 */
export type ModelSettings =
  | { provider: "extractive" }
  | { provider: "gemini"; model: string; embeddingModel: string; baseUrl: string | undefined }
  | { provider: "openai"; model: string; embeddingModel: string | undefined; baseUrl: string }

/** A place in an object store. */
export interface S3Location {
  bucket: string
  /** Begins every key; empty, or without a slash at either end. */
  prefix: string
  region: string
  /** Undefined: Amazon's, of the region. */
  endpoint: string | undefined
}

/**
 * Every setting of the program, read once and handed down as values. Secrets stand in a part of their own, so
 * that nothing prints them by mistake.
 */
export type Config = ReturnType<typeof readValues>

/** A reload changes some in place (`reloads` of the settings): they are read from here when they are used. */
export type Secrets = Config["secrets"]

/**
 * Reads the environment, and each secret also from the file that its `…_FILE` variable names. Throws one
 * UsageError that names every bad value.
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const read = settingReader(environment, problems)
  const config = readValues(read, environment)
  for (const setting of Object.values(settings) as Setting[])
    if (setting.secret) config.secrets.read[setting.name] = read.text(setting)
  config.secrets.read[settings.databaseUrl.name] += config.secrets.database?.ca ?? ""
  problems.push(...contradictions(config, read))
  if (problems.length > 0)
    throw new UsageError(
      `bad settings:\n${[...new Set(problems)].map((problem) => `  ${problem}`).join("\n")}`,
    )
  return config
}

function readValues(read: SettingReader, environment: Environment) {
  const port = read.integer(settings.port, 0, 65_535)
  const publicUrl = read.hostUrl(settings.publicUrl) ?? `http://localhost:${port}`
  return {
    dataDir: resolve(read.text(settings.dataDir)),
    host: read.text(settings.host),
    port,
    publicUrl,
    /** Addresses or CIDR blocks whose X-Forwarded-For is believed. */
    trustedProxies: read.addressBlocks(settings.trustedProxies),
    timezone: read.timezone(settings.timezone),
    logLevel: read.oneOf(settings.logLevel, ["debug", "info", "warning", "error"]),
    /** Whether lines about failed sign-ins and wrong tokens name the client's address. */
    logAddresses: read.oneOf(settings.logAddresses, ["on", "off"]) === "on",
    ask: {
      perMinute: read.integer(settings.askPerMinute, 1),
      perVisitorDay: read.integer(settings.askPerVisitorDay, 1),
      perProjectDay: read.integer(settings.askPerProjectDay, 1),
      perOrganisationMonth: read.integer(settings.askPerOrganisationMonth, 1),
      answerRetentionDays: read.integer(settings.answerRetentionDays, 1, 3650),
    },
    /** Days for which the audit log is kept. */
    auditLogRetentionDays: read.integer(settings.auditLogRetentionDays, 1, 3650),
    backup: {
      /** Folder of the nightly backups and of the erasure journal. Undefined: the service makes no backups. */
      dir: read.text(settings.backupDir) ? resolve(read.text(settings.backupDir)) : undefined,
      /** Number of nightly backups that are kept. */
      keep: read.integer(settings.backupKeep, 1, 10_000),
    },
    /** The language model that writes the answers, if any. */
    model: modelSettings(read),
    /** Answers instead of a model that does not respond. */
    modelFallback: read.oneOf(settings.modelFallback, ["none", "extractive"]),
    /** Makes the vectors of passages and questions. */
    embedding: read.oneOf(settings.embedding, ["local", "provider", "none"]),
    feedAllowPrivate: read.oneOf(settings.feedAllowPrivate, ["true", "false"]) === "true",
    indexing: {
      /** Limit of an indexing that the service starts, its own child processes included. */
      memoryBytes: read.integer(settings.indexingMemory, 128) * 1024 * 1024,
      /** Time after which a reading gives way to others that wait. */
      turnMs: read.integer(settings.indexingTurn, 1, 900) * secondMs,
    },
    /** Form posts of one visitor in any 60 seconds; further ones are held as unwanted. */
    formPerVisitorMinute: read.integer(settings.formPerVisitorMinute, 1),
    /** Limits on the form posts that are stored on one day, in posts and bytes. */
    formDay: {
      perVisitor: read.integer(settings.formPerVisitorDay, 1),
      bytesPerVisitor: read.bytes(settings.formBytesPerVisitorDay, 1),
      perForm: read.integer(settings.formPerFormDay, 1),
      bytesPerForm: read.bytes(settings.formBytesPerFormDay, 1),
      fileBytesPerVisitor: read.bytes(settings.formFileBytesPerVisitorDay, 1),
    },
    /** Free disk space below which form posts are refused; questions and deliveries go on. 0: no limit. */
    minFreeDiskBytes: read.bytes(settings.minFreeDisk, 0),
    storage: {
      /** The object store that nodes share, if any. */
      s3: storageLocation(read),
      /** Disk for indexes that can be fetched again. */
      cacheBytes: read.bytes(settings.indexCache, 1),
      /** Room for the files of one workspace. */
      filesPerWorkspaceBytes: read.bytes(settings.filesPerWorkspace, 0),
    },
    /** The account that a start makes while there is no operator. */
    firstOperator: firstOperator(read.text(settings.operatorEmail), read.text(settings.operatorPassword)),
    /** Whether operators sign in by password: otherwise `oidc` is set. */
    passwordSignIn: read.oneOf(settings.passwordSignIn, ["on", "off"]) === "on",
    /** Undefined: there is no provider to sign in by. */
    oidc: oidcSettings(read, publicUrl),
    /** Undefined: no spans are made. */
    tracing: tracingSettings(read),
    /** Sender of every mail: `Name <address>`. */
    mailFrom: read.text(settings.mailFrom) || `Guichet <guichet@${URL.parse(publicUrl)?.hostname}>`,
    /** Where the certificate authorities are by which servers of others are judged. */
    authorities: {
      file: read.text(settings.certFile) || undefined,
      folders: read.text(settings.certFolders) || undefined,
      extraFile: read.text(settings.extraCertFile) || undefined,
    },
    webhook: {
      /** Host names that are not looked up in the DNS, with their fixed addresses. */
      fixedTargets: read.targets(settings.webhookResolve),
      /** Trusted authorities in PEM. Undefined: those of the system. */
      ca: read.certificates(settings.webhookCaFile),
    },
    secrets: readSecrets(read, environment),
  }
}

function readSecrets(read: SettingReader, environment: Environment) {
  return {
    /** The PostgreSQL server; undefined: SQLite in the data folder. */
    database: read.databaseServer(settings.databaseUrl),
    /** 32 bytes. Undefined: the key file of the data folder is used. */
    key: read.key(settings.key),
    geminiKey: read.text(settings.geminiKey) || undefined,
    openaiKey: read.text(settings.openaiKey) || undefined,
    /** A secret because it holds the password of the mail account. Undefined: no mail can be sent. */
    smtpUrl: read.smtpUrl(settings.smtpUrl),
    /** A secret because its address may hold a password. Undefined: public addresses are reached directly. */
    outboundProxy: read.outboundProxy(settings.outboundProxy),
    /** Identifies this service to the OpenID provider. */
    oidcClientSecret: read.text(settings.oidcClientSecret) || undefined,
    /** Sent to the collector of spans. */
    otlpHeaders: tracingHeaders(read),
    /** Bearer token for `/metrics`. Undefined: that address is not found. */
    metricsToken: read.token(settings.metricsToken),
    /** Who may use the object store; undefined without one. */
    storage: storageCredentials(read),
    /** Every secret as it was read, by the name of its setting; with the contents of the files that it names. */
    read: {} as Record<string, string>,
    /** The whole environment as it was read. Child processes of this program are started with it. */
    environment,
  }
}

/** Values that are good alone and wrong together. */
function contradictions(config: Config, read: SettingReader): string[] {
  const problems: string[] = []
  if (Boolean(read.text(settings.operatorEmail)) !== Boolean(read.text(settings.operatorPassword)))
    problems.push(`${settings.operatorEmail.name} and ${settings.operatorPassword.name}_FILE go together`)
  if (config.secrets.database && !config.secrets.key)
    problems.push(
      `${settings.databaseUrl.name} needs ${settings.key.name}: every node opens the secrets of the database with one key`,
    )
  if (!/^(?:[^\r\n<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(config.mailFrom))
    problems.push(`${settings.mailFrom.name} is not a sender such as Name <address>`)
  if (config.embedding === "provider" && !("embeddingModel" in config.model && config.model.embeddingModel))
    problems.push(
      `${settings.embedding.name}=provider needs ${settings.model.name}=gemini, or openai with ${settings.openaiEmbeddingModel.name}`,
    )
  return problems
}

function modelSettings(read: SettingReader): ModelSettings {
  const provider = read.oneOf(settings.model, ["extractive", "gemini", "openai"])
  const needs = (setting: Setting, value: string | undefined) => {
    if (!value) read.problems.push(`${settings.model.name}=${provider} needs ${setting.name}`)
    return value ?? ""
  }
  for (const key of [settings.geminiKey, settings.openaiKey])
    if (!/^[\x21-\x7e]*$/.test(read.text(key)))
      read.problems.push(`${key.name} holds white space or other characters that no key has`)
  if (provider === "gemini") {
    needs(settings.geminiKey, read.text(settings.geminiKey))
    return {
      provider,
      model: read.text(settings.geminiModel),
      embeddingModel: read.text(settings.geminiEmbeddingModel),
      baseUrl: read.url(settings.geminiBaseUrl),
    }
  }
  if (provider === "openai")
    return {
      provider,
      model: needs(settings.openaiModel, read.text(settings.openaiModel)),
      embeddingModel: read.text(settings.openaiEmbeddingModel) || undefined,
      baseUrl: needs(settings.openaiBaseUrl, read.url(settings.openaiBaseUrl)),
    }
  return { provider }
}

function storageLocation(read: SettingReader): S3Location | undefined {
  const place = read.bucket(settings.storageUrl)
  return (
    place && {
      ...place,
      region: read.text(settings.storageRegion),
      endpoint: read.url(settings.storageEndpoint),
    }
  )
}

function storageCredentials(read: SettingReader) {
  if (!read.text(settings.storageUrl)) return undefined
  const needed = (setting: Setting) => {
    const value = read.text(setting)
    if (!/^[\x21-\x7e]+$/.test(value))
      read.problems.push(
        value
          ? `${setting.name} holds white space or other characters that no key has`
          : `${settings.storageUrl.name} needs ${setting.name}`,
      )
    return value
  }
  return {
    accessKeyId: needed(settings.storageAccessKey),
    secretAccessKey: needed(settings.storageSecretKey),
    sessionToken: read.text(settings.storageSession) || undefined,
  }
}

/**
 * Why no backup can be written to the folder of the settings. Undefined when one can be written, or when no
 * folder is set.
 */
export function backupProblem({ backup }: Config): string | undefined {
  return backup.dir && folderProblem(backup.dir)
}

const prefix = "GUICHET_"

/** Variables named like settings that are none, each with the one it may mean: mistyped, or of another version. */
export function unknownSettings(environment: Environment): string[] {
  return unknownNames(environment).map(({ shown }) => shown)
}

/** Those that are nearly the name of a setting. */
export function mistypedSettings(environment: Environment): string[] {
  return unknownNames(environment).flatMap(({ shown, meant }) => (meant ? [shown] : []))
}

function unknownNames(environment: Environment): { shown: string; meant: string | undefined }[] {
  const names = Object.values(settings).flatMap(({ name, secret }: Setting) =>
    secret ? [name, `${name}_FILE`] : [name],
  )
  const unknown = Object.keys(environment).filter((name) => name.startsWith(prefix) && !names.includes(name))
  return unknown.map((name) => {
    const meant = nearest(
      name.slice(prefix.length),
      names.map((each) => each.slice(prefix.length)),
    )
    return { shown: meant ? `${name} (did you mean ${prefix}${meant}?)` : name, meant }
  })
}

/** Every setting with its value in force and where that comes from; secrets are masked. */
export function describeSettings(environment: Environment) {
  return Object.values(settings).map((setting: Setting) => {
    const plain = environment[setting.name]?.trim()
    const inFile = setting.secret ? secretFromFile(setting, environment) : ""
    return {
      name: setting.name,
      value: setting.secret ? (plain || inFile ? "********" : "") : plain || setting.initial,
      from: plain ? "environment" : inFile ? "file" : "default",
      about: setting.about,
    }
  })
}

function firstOperator(email: string, password: string): { email: string; password: string } | undefined {
  return email && password ? { email, password } : undefined
}

/** For processes that read hostile text or need no secret to work. */
export function environmentWithoutSecrets({ secrets }: Config): Record<string, string | undefined> {
  const entries = Object.entries(secrets.environment)
  return Object.fromEntries(entries.filter(([name]) => !/^(?:GUICHET|GEMINI|AWS)_/.test(name)))
}
