import { existsSync } from "node:fs"
import { resolve } from "node:path"
import type { Setting } from "./parse.ts"

/** Every setting: name, default and meaning. `guichet config` and the manual page show it. */
export const settings = {
  dataDir: {
    name: "GUICHET_DATA_DIR",
    initial: defaultDataDir(),
    about: "folder of the database, the index and the key file",
  },
  databaseUrl: {
    name: "GUICHET_DATABASE_URL",
    initial: "",
    secret: true,
    reloads: "database",
    about:
      "postgres://user:password@host:5432/name of a PostgreSQL database for several machines, with sslmode=verify-full, verify-ca, require or disable; SQLite in the data folder when empty",
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
  logAddresses: {
    name: "GUICHET_LOG_ADDRESSES",
    initial: "on",
    about:
      "on or off: the client's address in the log lines of failed sign-ins and wrong tokens, and nowhere else",
  },
  key: {
    name: "GUICHET_SECRET_KEY",
    initial: "",
    secret: true,
    about:
      "32 bytes in base64, the same on every node of a PostgreSQL database; with SQLite a key file is made in the data folder without it",
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
    about:
      "questions per organisation and month; half is common, half kept in equal shares for the workspaces with an indexed project",
  },
  answerRetentionDays: {
    name: "GUICHET_ANSWER_RETENTION_DAYS",
    initial: "90",
    about: "days for which questions and answers are kept",
  },
  auditLogRetentionDays: {
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
  embedding: {
    name: "GUICHET_EMBEDDING",
    initial: "local",
    about:
      "finds passages by meaning beside words: local (the model in the program), provider (that of GUICHET_MODEL, which is sent every passage) or none (words alone)",
  },
  modelFallback: {
    name: "GUICHET_MODEL_FALLBACK",
    initial: "none",
    about: "extractive answers with sentences of the documentation while the model does not respond",
  },
  geminiKey: {
    name: "GEMINI_API_KEY",
    initial: "",
    secret: true,
    reloads: "geminiKey",
    about: "key of the Gemini API",
  },
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
    reloads: "openaiKey",
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
    about:
      "form posts of one visitor in any 60 seconds before they are kept apart as unwanted; 60 where each comes with an unused timing token; posts that store nothing, such as refused ones, are refused beyond 12 times as many",
  },
  formPerVisitorDay: {
    name: "GUICHET_FORM_PER_VISITOR_DAY",
    initial: "200",
    about: "form posts kept of one visitor and day; more are refused",
  },
  formBytesPerVisitorDay: {
    name: "GUICHET_FORM_BYTES_PER_VISITOR_DAY",
    initial: "10 MB",
    about: "size of these form posts: bytes, or a number of KB, MB or GB",
  },
  formPerFormDay: {
    name: "GUICHET_FORM_PER_FORM_DAY",
    initial: "5000",
    about: "posts of one form and day, beyond which each visitor has one more, the first of that day",
  },
  formBytesPerFormDay: {
    name: "GUICHET_FORM_BYTES_PER_FORM_DAY",
    initial: "250 MB",
    about: "size of the form posts of one form and day, to which the same rule applies",
  },
  formFileBytesPerVisitorDay: {
    name: "GUICHET_FORM_FILE_BYTES_PER_VISITOR_DAY",
    initial: "100 MB",
    about: "size of the files kept of one visitor and day, beside the text",
  },
  minFreeDisk: {
    name: "GUICHET_MIN_FREE_DISK",
    initial: "512 MB",
    about: "free disk below which form posts are refused, while questions and deliveries go on; 0: never",
  },
  filesPerWorkspace: {
    name: "GUICHET_FILES_PER_WORKSPACE",
    initial: "1 GB",
    about: "room for the files of one workspace, such as those that come with form posts",
  },
  storageUrl: {
    name: "GUICHET_STORAGE_URL",
    initial: "",
    about:
      "s3://bucket/prefix: where nodes share the indexes they build, and where files are kept, in a store that speaks S3; empty: files are kept in the database",
  },
  storageEndpoint: {
    name: "AWS_ENDPOINT_URL",
    initial: "",
    about: "address of that store; Amazon's, in the region, when empty",
  },
  storageRegion: { name: "AWS_REGION", initial: "us-east-1", about: "region of that store" },
  storageAccessKey: {
    name: "AWS_ACCESS_KEY_ID",
    initial: "",
    secret: true,
    reloads: "storage",
    about: "account at that store",
  },
  storageSecretKey: {
    name: "AWS_SECRET_ACCESS_KEY",
    initial: "",
    secret: true,
    reloads: "storage",
    about: "and its key",
  },
  storageSession: {
    name: "AWS_SESSION_TOKEN",
    initial: "",
    secret: true,
    reloads: "storage",
    about: "and the token of an account that is lent",
  },
  indexCache: {
    name: "GUICHET_INDEX_CACHE",
    initial: "10 GB",
    about:
      "disk that a node may use for indexes that other nodes have too: those used least recently are fetched again",
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
  passwordSignIn: {
    name: "GUICHET_PASSWORD_SIGN_IN",
    initial: "on",
    about:
      "off lets operators sign in by the OpenID provider alone; guichet operator password still opens a way for an hour",
  },
  oidcIssuer: {
    name: "GUICHET_OIDC_ISSUER",
    initial: "",
    about: "OpenID provider by which operators sign in: the address before /.well-known/openid-configuration",
  },
  oidcClientId: {
    name: "GUICHET_OIDC_CLIENT_ID",
    initial: "",
    about: "name of this service at that provider",
  },
  oidcClientSecret: {
    name: "GUICHET_OIDC_CLIENT_SECRET",
    initial: "",
    secret: true,
    reloads: "oidcClientSecret",
    about: "and its secret",
  },
  oidcDomains: {
    name: "GUICHET_OIDC_DOMAINS",
    initial: "",
    about:
      "example.org,…: who has a verified e-mail address there is made a viewer of the default workspace unasked; invited people alone when empty",
  },
  oidcGroups: {
    name: "GUICHET_OIDC_GROUPS",
    initial: "",
    about:
      "group=role,… gives members of the default workspace, at each sign-in, the highest role of the groups that the claim groups names, viewer without one",
  },
  oidcWithoutGroups: {
    name: "GUICHET_OIDC_WITHOUT_GROUPS",
    initial: "viewer",
    about:
      "what a sign-in without the claim groups means: viewer ends a role that groups gave, keep leaves it",
  },
  oidcAcr: {
    name: "GUICHET_OIDC_ACR",
    initial: "",
    about: "acr values that the provider is asked for, comma-separated, one of which is then required",
  },
  oidcTrustEmail: {
    name: "GUICHET_OIDC_TRUST_EMAIL",
    initial: "off",
    about: "on takes its e-mail addresses for verified where the provider does not say (email_verified)",
  },
  oidcName: {
    name: "GUICHET_OIDC_NAME",
    initial: "",
    about: "its name on the sign-in page; the host of its address when empty",
  },
  metricsToken: {
    name: "GUICHET_METRICS_TOKEN",
    initial: "",
    secret: true,
    reloads: "metricsToken",
    about: "bearer token that opens /metrics for Prometheus; without it there is no such address",
  },
  smtpUrl: {
    name: "GUICHET_SMTP_URL",
    initial: "",
    secret: true,
    reloads: "smtpUrl",
    about:
      "server that sends mails: smtps://user:password@host:465 or smtp://user:password@host:587, where STARTTLS is required with a password",
  },
  mailFrom: {
    name: "GUICHET_MAIL_FROM",
    initial: "",
    about: "sender of mails: Name <address>; guichet@ the host of GUICHET_PUBLIC_URL when empty",
  },
  outboundProxy: {
    name: "GUICHET_OUTBOUND_PROXY",
    initial: "",
    secret: true,
    about:
      "http://user:password@host:port of a proxy through which webhooks, feeds, models and sign-in reach public addresses; it has to allow CONNECT to addresses",
  },
  certFile: {
    name: "SSL_CERT_FILE",
    initial: "",
    about: "PEM file of certificate authorities in place of the system's; the system's own when empty",
  },
  certFolders: {
    name: "SSL_CERT_DIR",
    initial: "",
    about: "and folders of such files, with colons between them",
  },
  extraCertFile: {
    name: "NODE_EXTRA_CA_CERTS",
    initial: "",
    about: "and a PEM file of authorities beside all others, such as the one of your own network",
  },
  otlpEndpoint: {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    initial: "",
    about:
      "OpenTelemetry collector that gets spans in OTLP over HTTP, as http://localhost:4318; none when empty",
  },
  otlpHeaders: {
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    initial: "",
    secret: true,
    about: "headers that the collector asks for: name=value,… with values encoded as in a URL",
  },
  otelServiceName: { name: "OTEL_SERVICE_NAME", initial: "guichet", about: "name of this service there" },
  tracesSampler: {
    name: "OTEL_TRACES_SAMPLER",
    initial: "parentbased_always_on",
    about:
      "which traces are kept: always_on, always_off, traceidratio, each also with parentbased_ before it, which follows a caller's traceparent",
  },
  tracesSamplerArg: {
    name: "OTEL_TRACES_SAMPLER_ARG",
    initial: "1",
    about: "share that traceidratio keeps, from 0 to 1",
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

/** `data/local` of a clone; the system's folder for the compiled binary, which has no sources beside it. */
function defaultDataDir(): string {
  const clone = resolve(import.meta.dir, "../../data")
  return existsSync(clone) ? resolve(clone, "local") : "/var/lib/guichet"
}
