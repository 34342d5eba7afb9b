import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { secondMs } from "../base/clock.ts"
import { UsageError } from "../base/errors.ts"
import { type Environment, fileOf, folderTrouble, reader, type Setting } from "./parse.ts"

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
  journalRetentionDays: number
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

/** The table behind `guichet config` and the README: name, default, meaning. */
export const settings = {
  dataDir: {
    name: "GUICHET_DATA_DIR",
    initial: defaultDataDir(),
    about: "folder of the database, the index and the key file",
  },
  host: { name: "GUICHET_HOST", initial: "127.0.0.1", about: "address to listen on" },
  port: { name: "GUICHET_PORT", initial: "3000", about: "port to listen on; 0 picks a free one" },
  publicUrl: {
    name: "GUICHET_PUBLIC_URL",
    initial: "",
    about:
      "address under which visitors reach the service, without a path; http://localhost:<port> when empty",
  },
  trustedProxies: {
    name: "GUICHET_TRUSTED_PROXIES",
    initial: "127.0.0.0/8,::1",
    about: "proxies whose X-Forwarded-For is believed, comma-separated addresses or blocks",
  },
  timezone: {
    name: "GUICHET_TIMEZONE",
    initial: "Europe/Paris",
    about: "time zone of the days and months of limits, and of dates on screen",
  },
  logLevel: { name: "GUICHET_LOG_LEVEL", initial: "info", about: "debug, info, warning or error" },
  key: {
    name: "GUICHET_SECRET_KEY",
    initial: "",
    secret: true,
    about: "32 bytes in base64; without it a key file is made in the data folder",
  },
  askPerMinute: {
    name: "GUICHET_ASK_PER_MINUTE",
    initial: "60",
    about: "questions per project in any 60 seconds",
  },
  askPerVisitorDay: {
    name: "GUICHET_ASK_PER_VISITOR_DAY",
    initial: "50",
    about: "questions per visitor of a project and day",
  },
  askPerProjectDay: {
    name: "GUICHET_ASK_PER_PROJECT_DAY",
    initial: "2000",
    about: "questions per project and day",
  },
  askPerOrganisationMonth: {
    name: "GUICHET_ASK_PER_ORGANISATION_MONTH",
    initial: "20000",
    about: "questions per organisation and month",
  },
  answerRetentionDays: {
    name: "GUICHET_ANSWER_RETENTION_DAYS",
    initial: "90",
    about: "days for which questions and answers are kept",
  },
  journalRetentionDays: {
    name: "GUICHET_JOURNAL_RETENTION_DAYS",
    initial: "365",
    about: "days for which the journal of who did what is kept",
  },
  backupDir: {
    name: "GUICHET_BACKUP_DIR",
    initial: "",
    about: "folder that gets a backup every night, and the journal of erasures; none when empty",
  },
  backupKeep: { name: "GUICHET_BACKUP_KEEP", initial: "14", about: "how many of these backups are kept" },
  model: {
    name: "GUICHET_MODEL",
    initial: "extractive",
    about: "who writes the answers: extractive (sentences of the documentation, no model), gemini or openai",
  },
  modelFallback: {
    name: "GUICHET_MODEL_FALLBACK",
    initial: "none",
    about: "extractive answers with sentences of the documentation while the model does not respond",
  },
  geminiKey: { name: "GEMINI_API_KEY", initial: "", secret: true, about: "key of the Gemini API" },
  geminiModel: {
    name: "GUICHET_GEMINI_MODEL",
    initial: "gemini-flash-latest",
    about: "Gemini model that writes; the default is Google's name for its newest",
  },
  geminiEmbeddingModel: {
    name: "GUICHET_GEMINI_EMBEDDING_MODEL",
    initial: "gemini-embedding-001",
    about: "Gemini model that makes vectors; another one means that every index is built again",
  },
  geminiBaseUrl: {
    name: "GUICHET_GEMINI_BASE_URL",
    initial: "",
    about: "where the Gemini API is, without its version; Google's when empty",
  },
  openaiKey: {
    name: "GUICHET_OPENAI_API_KEY",
    initial: "",
    secret: true,
    about: "key of a server that speaks OpenAI's API; empty where it asks for none",
  },
  openaiBaseUrl: {
    name: "GUICHET_OPENAI_BASE_URL",
    initial: "",
    about: "where such a server is, version included: https://api.mistral.ai/v1",
  },
  openaiModel: { name: "GUICHET_OPENAI_MODEL", initial: "", about: "its model that writes" },
  openaiEmbeddingModel: {
    name: "GUICHET_OPENAI_EMBEDDING_MODEL",
    initial: "",
    about: "its model that makes vectors; words alone find passages when empty",
  },
  feedAllowPrivate: {
    name: "GUICHET_FEED_ALLOW_PRIVATE",
    initial: "false",
    about: "true lets sitemaps and pages be read from private networks",
  },
  indexingMemory: {
    name: "GUICHET_INDEXING_MEMORY_MB",
    initial: "1024",
    about:
      "memory in MB that an indexing may take before it is ended; the index of 100,000 passages takes 550",
  },
  indexingTurn: {
    name: "GUICHET_INDEXING_TURN_SECONDS",
    initial: "120",
    about: "seconds after which a reading gives way, and goes on later, when other workspaces wait",
  },
  formPerVisitorMinute: {
    name: "GUICHET_FORM_PER_VISITOR_MINUTE",
    initial: "10",
    about: "form posts of one visitor in any 60 seconds before they are kept apart as unwanted",
  },
  formPerVisitorDay: {
    name: "GUICHET_FORM_PER_VISITOR_DAY",
    initial: "200",
    about: "form posts kept of one visitor and day; more are refused",
  },
  formBytesPerVisitorDay: {
    name: "GUICHET_FORM_BYTES_PER_VISITOR_DAY",
    initial: "10 MB",
    about: "and their size: bytes, or a number of KB, MB or GB",
  },
  formPerFormDay: {
    name: "GUICHET_FORM_PER_FORM_DAY",
    initial: "5000",
    about: "posts of one form and day, beyond which each visitor has one more, the first of that day",
  },
  formBytesPerFormDay: {
    name: "GUICHET_FORM_BYTES_PER_FORM_DAY",
    initial: "250 MB",
    about: "and their size",
  },
  minFreeDisk: {
    name: "GUICHET_MIN_FREE_DISK",
    initial: "512 MB",
    about: "free disk below which form posts are refused, while questions and deliveries go on; 0: never",
  },
  operatorEmail: {
    name: "GUICHET_OPERATOR_EMAIL",
    initial: "",
    about: "address of the first operator, made at start only while there is none",
  },
  operatorPassword: {
    name: "GUICHET_OPERATOR_PASSWORD",
    initial: "",
    secret: true,
    about: "password of the first operator",
  },
  metricsToken: {
    name: "GUICHET_METRICS_TOKEN",
    initial: "",
    secret: true,
    about: "bearer token that opens /metrics for Prometheus; without it there is no such address",
  },
  smtpUrl: {
    name: "GUICHET_SMTP_URL",
    initial: "",
    secret: true,
    about:
      "server that sends mails: smtps://user:password@host:465 or smtp://user:password@host:587, where STARTTLS is required with a password",
  },
  mailFrom: {
    name: "GUICHET_MAIL_FROM",
    initial: "",
    about: "sender of mails: Name <address>; guichet@ the host of GUICHET_PUBLIC_URL when empty",
  },
  webhookResolve: {
    name: "GUICHET_WEBHOOK_RESOLVE",
    initial: "",
    about: "for tests and demonstrations: name=ip:port,… where endpoints are instead of asking the DNS",
  },
  webhookCaFile: {
    name: "GUICHET_WEBHOOK_CA_FILE",
    initial: "",
    about: "for tests and demonstrations: PEM file of the only authority trusted for endpoints",
  },
} as const satisfies Record<string, Setting>

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
    journalRetentionDays: read.integer(settings.journalRetentionDays, 1, 3650),
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

/** Beside the sources when run from a clone, the system's folder when run as the compiled binary. */
function defaultDataDir(): string {
  const clone = resolve(import.meta.dir, "../../data")
  return existsSync(clone) ? resolve(clone, "local") : "/var/lib/guichet"
}
