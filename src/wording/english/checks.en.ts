export interface Node {
  host: string
  version: string
  id: string
  seconds: number
}

export const words = {
  databaseAway: "not looked at: the database cannot be used",
  databaseReadOnly: "cannot be written to",
  databasePooled:
    "sessions are not kept between statements: PgBouncer has to be in session mode (pool_mode = session)",
  databaseWritable: "can be written to",
  databaseSound: "sound, and can be written to",
  databaseDamaged: ({ damage }: { damage: string }) => `damaged: ${damage}`,
  indexesOutdated: ({ projects }: { projects: readonly string[] }) =>
    `to be built again, which the service does: ${projects.join(", ")}`,
  indexesMissing: ({ projects }: { projects: readonly string[] }) =>
    `projects with a feed and no index: ${projects.join(", ")}`,
  vectorsFollow: ({ projects }: { projects: readonly string[] }) =>
    `words answer, vectors follow while the service runs: ${projects.join(", ")}`,
  indexesPresent: "every project that was read has its index",
  storageNotSet: "not set: indexes stay on this machine",
  storageWorks: ({ milliseconds }: { milliseconds: number }) =>
    `stores, gives and removes a file (${milliseconds} ms)`,
  storageForgets: "does not give back what it has just stored",
  diskFree: ({ megabytes }: { megabytes: number }) => `${megabytes} MB free`,
  diskNearlyFull: ({ megabytes, least }: { megabytes: number; least: number }) =>
    `${megabytes} MB free, form posts are refused below ${least} MB`,
  backupYours:
    "yours to make: PostgreSQL is backed up by its owner (pg_dump), and the secret key is kept apart from that",
  backupNotSet: "none is made: set GUICHET_BACKUP_DIR to a folder, or run guichet backup FILE by yourself",
  backupNone: ({ folder }: { folder: string }) =>
    `there is none in ${folder}: see the log of the service (back up), and make one: guichet backup FILE`,
  backupMade: ({ hours, megabytes, folder }: { hours: number; megabytes: number; folder: string }) =>
    `the newest is ${hours} h old, ${megabytes} MB, in ${folder}`,
  backupLate: ({ hours, megabytes, folder }: { hours: number; megabytes: number; folder: string }) =>
    `the newest is ${hours} h old, ${megabytes} MB, in ${folder}: see the log of the service (back up), the free disk, and the rights on the folder`,
  clock: ({ now }: { now: string }) => now,
  clockApart: ({ now, seconds }: { now: string; seconds: number }) =>
    `${now}; this machine is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} PostgreSQL: set both by NTP`,
  clockSetBack: ({ now, seconds }: { now: string; seconds: number }) =>
    `${now}, ${seconds} s before what is stored: it was set back`,
  namesResolved: "names are resolved",
  namesNotResolved: ({ error }: { error: string }) => `names are not resolved (${error})`,
  mailNotSet: "not set: no mail is sent",
  mailAccepted: "the server takes mails from here",
  mailRefused: ({ error }: { error: string }) => `the server cannot be used: ${error}`,
  noModel: "none: answers are taken from the documentation",
  meaningOff: "off: words alone find passages",
  meaningReady: ({ milliseconds, busyQuestions }: { milliseconds: number; busyQuestions: number }) =>
    `the embedded model works (${milliseconds} ms a question)${busyFor(busyQuestions)}`,
  meaningProvider: "the provider's model makes the vectors",
  meaningBroken: ({ why }: { why: string }) =>
    `words alone find passages: the embedded model does not work: ${why}; it is tried again by itself: see that memory is free and that BUN_TMPDIR has room and allows execution, or set GUICHET_EMBEDDING=none`,
  meaningBusy: ({ questions }: { questions: number }) =>
    `words alone find passages for now: the embedded model is busy, for ${questions} questions so far; another processor helps`,
  meaningUnsupported: ({ why }: { why: string }) =>
    `words alone find passages: ${why}, which the embedded model needs: take a machine that has it, or set GUICHET_EMBEDDING=none`,
  noAvx2: "the processor has no AVX2",
  modelEnded: "its process ended",
  modelTime: "it took too long",
  modelMemory: ({ megabytes }: { megabytes: number }) => `it took more than ${megabytes} MB of memory`,
  authorities: ({ count }: { count: number }) => `this machine trusts ${count} certificate authorities`,
  authoritiesNone:
    "this machine has no certificate authorities, only those built in are trusted: install ca-certificates",
  authoritiesUnread: ({ setting, path, error }: { setting: string; path: string; error: string }) =>
    `${setting}=${path} cannot be used (${error}): name a PEM file that the service may read`,
  forwardingTrusted: ({ proxies }: { proxies: string }) =>
    `X-Forwarded-For is believed of ${proxies || "no proxy"}, and came from no one else for a day`,
  forwardingUntrusted: ({ at, proxies }: { at: string; proxies: string }) =>
    `at ${at} X-Forwarded-For came from a sender that is none of ${proxies || "the trusted proxies"}: add your proxy to GUICHET_TRUSTED_PROXIES, or all visitors count as one`,
  publicUrlLocal: ({ url }: { url: string }) => `${url}: set GUICHET_PUBLIC_URL to the address visitors use`,
  publicUrlLeadsHere: ({ url }: { url: string }) => `${url} leads here`,
  publicUrlTls: ({ url, why }: { url: string; why: string }) => `${url}: ${why}`,
  publicUrlLeadsElsewhere: ({ url, status }: { url: string; status: number }) =>
    `${url} answers ${status}, not the service`,
  deliveriesDue: ({ seconds }: { seconds: number }) => `the oldest has been due for ${seconds} s`,
  deliveriesStuck: ({ seconds }: { seconds: number }) =>
    `the oldest has been due for ${seconds} s: does the service run?`,
  deliveriesOnTime: "nothing is overdue",
  answersFine: "every chosen answer has its sources, and no evaluation fell",
  answersSetAside: ({ projects }: { projects: readonly string[] }) =>
    `chosen answers that are not given, because their sources are no longer in the index: ${projects.join(", ")}`,
  answersFell: ({ projects }: { projects: readonly string[] }) =>
    `fewer questions of the evaluation set are answered as expected: ${projects.join(", ")}`,
  node: nodeLine,
  unlikeNode: ({ arithmetic, ...node }: { arithmetic: string } & Node) =>
    `${nodeLine(node)}: its processor (${arithmetic}) calculates otherwise than another node's, so that their vectors are a little apart and a question may be answered otherwise by each: take machines of one kind`,
  noResult: ({ seconds }: { seconds: number }) => `no result within ${seconds} s`,
}

function nodeLine({ host, version, id, seconds }: Node): string {
  return `${host}, version ${version}, last beat ${seconds} s ago (${id})`
}

function busyFor(count: number): string {
  return count === 0 ? "" : `; it was too busy for ${count} questions since the start`
}
