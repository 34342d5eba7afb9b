import { resolve } from "node:path"
import { secondMs } from "../base/clock.ts"
import { UsageError } from "../base/errors.ts"
import { type Environment, fileOf, folderTrouble, reader, type Setting } from "./parse.ts"
import { settings } from "./settings.ts"

/**
 * Every setting of the program, read once and handed down as values. Secrets are apart, so that nothing
 * prints them by mistake.
 */
export interface Config {
  dataDir: string
  host: string
  port: number
  publicUrl: string
  /** Addresses or CIDR blocks whose X-Forwarded-For is believed. */
  trustedProxies: string[]
  timezone: string
  logLevel: LogLevel
  ask: {
    perMinute: number
    perVisitorDay: number
    perProjectDay: number
    perOrganisationMonth: number
    answerRetentionDays: number
  }
  /** How long the journal of who did what is kept. */
  auditLogRetentionDays: number
  /** Who writes the answers. */
  model: ModelSettings
  /** Answers in place of a model that does not respond. */
  modelFallback: "none" | "extractive"
  feedAllowPrivate: boolean
  indexing: {
    /** Of an indexing that the service starts, with the processes it starts in its turn. */
    memoryBytes: number
    /** After this a reading gives way to others that wait. */
    turnMs: number
  }
  backup: {
    /**
     * Where a backup is made every night, and the journal of erasures kept. Undefined: no backup is made by
     * itself.
     */
    dir: string | undefined
    /** How many of these are kept. */
    keep: number
  }
  /** Form posts of one visitor in any 60 seconds before they are kept apart. */
  formPerVisitorMinute: number
  /** What is stored of form posts on one day, in posts and bytes. */
  formDay: { perVisitor: number; bytesPerVisitor: number; perForm: number; bytesPerForm: number }
  /**
   * With less of the disk free form posts are refused, while questions and deliveries go on. 0: nobody looks.
   */
  minFreeDiskBytes: number
  /** Made at start while there is no operator. */
  firstOperator: { email: string; password: string } | undefined
  /** Sender of every mail: `Name <address>`. */
  mailFrom: string
  webhook: {
    /** Names that are not looked up, and where they lead instead. */
    fixedTargets: { host: string; ip: string; port: number }[]
    /** PEM. Undefined: the system's authorities are trusted. */
    ca: string | undefined
  }
  secrets: Secrets
}

/** `undefined` addresses are the provider's own; without an embedding model, words alone find passages. */
export type ModelSettings =
  | { provider: "extractive" }
  | { provider: "gemini"; model: string; embeddingModel: string; baseUrl: string | undefined }
  | { provider: "openai"; model: string; embeddingModel: string | undefined; baseUrl: string }

export interface Secrets {
  geminiKey: string | undefined
  openaiKey: string | undefined
  /** 32 bytes; undefined: the key file of the data folder is used. */
  key: Buffer | undefined
  /** Holds the password of the mail account. Undefined: no mail can be sent. */
  smtpUrl: string | undefined
  /** Opens `/metrics`. Undefined: there is no such address. */
  metricsToken: string | undefined
  /** All of it as it was read: what a child process of this program is started with. */
  environment: Environment
}

type LogLevel = "debug" | "info" | "warning" | "error"

/**
 * Reads the environment (each secret also from the file its `…_FILE` variable names).
 * Throws one UsageError that names every bad value.
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const read = reader(environment, problems)
  const port = read.integer(settings.port, 0, 65_535)
  const publicUrl = read.hostUrl(settings.publicUrl) ?? `http://localhost:${port}`
  const config: Config = {
    dataDir: resolve(read.text(settings.dataDir)),
    host: read.text(settings.host),
    port,
    publicUrl,
    trustedProxies: read.addressBlocks(settings.trustedProxies),
    timezone: read.timezone(settings.timezone),
    logLevel: read.oneOf(settings.logLevel, ["debug", "info", "warning", "error"]),
    ask: {
      perMinute: read.integer(settings.askPerMinute, 1),
      perVisitorDay: read.integer(settings.askPerVisitorDay, 1),
      perProjectDay: read.integer(settings.askPerProjectDay, 1),
      perOrganisationMonth: read.integer(settings.askPerOrganisationMonth, 1),
      answerRetentionDays: read.integer(settings.answerRetentionDays, 1, 3650),
    },
    auditLogRetentionDays: read.integer(settings.auditLogRetentionDays, 1, 3650),
    backup: {
      dir: read.text(settings.backupDir) ? resolve(read.text(settings.backupDir)) : undefined,
      keep: read.integer(settings.backupKeep, 1, 10_000),
    },
    model: modelSettings(read, problems),
    modelFallback: read.oneOf(settings.modelFallback, ["none", "extractive"]),
    feedAllowPrivate: read.oneOf(settings.feedAllowPrivate, ["true", "false"]) === "true",
    indexing: {
      memoryBytes: read.integer(settings.indexingMemory, 128) * 1024 * 1024,
      turnMs: read.integer(settings.indexingTurn, 1, 900) * secondMs,
    },
    formPerVisitorMinute: read.integer(settings.formPerVisitorMinute, 1),
    formDay: {
      perVisitor: read.integer(settings.formPerVisitorDay, 1),
      bytesPerVisitor: read.bytes(settings.formBytesPerVisitorDay, 1),
      perForm: read.integer(settings.formPerFormDay, 1),
      bytesPerForm: read.bytes(settings.formBytesPerFormDay, 1),
    },
    minFreeDiskBytes: read.bytes(settings.minFreeDisk, 0),
    firstOperator: firstOperator(read.text(settings.operatorEmail), read.text(settings.operatorPassword)),
    mailFrom: read.text(settings.mailFrom) || `Guichet <guichet@${URL.parse(publicUrl)?.hostname}>`,
    webhook: {
      fixedTargets: read.targets(settings.webhookResolve),
      ca: read.certificates(settings.webhookCaFile),
    },
    secrets: {
      key: read.key(settings.key),
      geminiKey: read.text(settings.geminiKey) || undefined,
      openaiKey: read.text(settings.openaiKey) || undefined,
      smtpUrl: read.smtpUrl(settings.smtpUrl),
      metricsToken: read.token(settings.metricsToken),
      environment,
    },
  }
  if (Boolean(read.text(settings.operatorEmail)) !== Boolean(read.text(settings.operatorPassword)))
    problems.push(`${settings.operatorEmail.name} and ${settings.operatorPassword.name}_FILE go together`)
  if (!/^(?:[^\r\n<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(config.mailFrom))
    problems.push(`${settings.mailFrom.name} is not a sender such as Name <address>`)
  if (problems.length > 0)
    throw new UsageError(
      `bad settings:\n${[...new Set(problems)].map((problem) => `  ${problem}`).join("\n")}`,
    )
  return config
}

function modelSettings(read: ReturnType<typeof reader>, problems: string[]): ModelSettings {
  const provider = read.oneOf(settings.model, ["extractive", "gemini", "openai"])
  const needs = (setting: Setting, value: string | undefined) => {
    if (!value) problems.push(`${settings.model.name}=${provider} needs ${setting.name}`)
    return value ?? ""
  }
  for (const key of [settings.geminiKey, settings.openaiKey])
    if (!/^[\x21-\x7e]*$/.test(read.text(key)))
      problems.push(`${key.name} holds white space or other characters that no key has`)
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

/**
 * Why no backup can be written to the folder that is set, or it cannot be made; undefined when it can, or
 * none is set.
 */
export function backupTrouble({ backup }: Config): string | undefined {
  return backup.dir && folderTrouble(backup.dir)
}

/** Variables that look like settings and are none: mistyped names, or those of another version. */
export function unknownSettings(environment: Environment): string[] {
  const known = new Set(
    Object.values(settings).flatMap(({ name, secret }: Setting) =>
      secret ? [name, `${name}_FILE`] : [name],
    ),
  )
  return Object.keys(environment).filter((name) => name.startsWith("GUICHET_") && !known.has(name))
}

/**
 * What `guichet config` prints: the value in force of every setting, secrets masked, and where it comes from.
 */
export function describeSettings(environment: Environment) {
  return Object.values(settings).map((setting: Setting) => {
    const plain = environment[setting.name]?.trim()
    const inFile = setting.secret ? fileOf(setting, environment) : ""
    return {
      name: setting.name,
      value: setting.secret ? (plain || inFile ? "********" : "") : plain || setting.initial,
      from: plain ? "environment" : inFile ? "file" : "default",
      about: setting.about,
    }
  })
}

function firstOperator(email: string, password: string): Config["firstOperator"] {
  return email && password ? { email, password } : undefined
}
