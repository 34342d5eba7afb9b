import { SMTPServer } from "smtp-server"

/** A mail server on loopback that speaks the real protocol and keeps what it took. */
export interface MailServer extends AsyncDisposable {
  /** For GUICHET_SMTP_URL. */
  url: string
  mails: TakenMail[]
  /** How it answers from now on: an SMTP status such as 451 or 550 for every recipient, 250 to take mails. */
  status: number
  /** Resolves with the first `count` mails, to `recipient` alone where one is named, as soon as so many were taken. */
  waitFor(count: number, recipient?: string): Promise<TakenMail[]>
  /** Resolves once a recipient was refused `count` times. */
  refused(count: number): Promise<void>
}

export interface TakenMail {
  from: string
  to: string[]
  /** Unfolded, by lower-case name, encoded words decoded. */
  headers: Map<string, string>
  text: string
  /** Empty for a mail of plain text alone. */
  html: string
  raw: string
}

/** `onMail` is called with each mail as it is taken. */
export async function startMailServer(onMail?: (mail: TakenMail) => void): Promise<MailServer> {
  let refusals = 0
  const waiting: { ready(): boolean; resolve(): void }[] = []
  const until = (ready: () => boolean) =>
    new Promise<void>((resolve) => {
      waiting.push({ ready, resolve })
      wake()
    })
  function wake(): void {
    for (const waiter of waiting.splice(0)) {
      if (waiter.ready()) waiter.resolve()
      else waiting.push(waiter)
    }
  }

  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo(_address, _session, callback) {
      if (mailServer.status === 250) return callback()
      refusals++
      callback(Object.assign(new Error("not now"), { responseCode: mailServer.status }))
      wake()
    },
    onData(stream, session, callback) {
      const parts: Buffer[] = []
      stream.on("data", (part: Buffer) => parts.push(part))
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        const mail = {
          from: mailFrom ? mailFrom.address : "",
          to,
          ...read(Buffer.concat(parts).toString("latin1")),
        }
        mailServer.mails.push(mail)
        onMail?.(mail)
        callback()
        wake()
      })
    },
  })
  // A client may be killed in the middle of a mail.
  server.on("error", () => {})
  const listener = server.listen(0, "127.0.0.1")
  await new Promise((resolve) => listener.once("listening", resolve))
  const { port } = listener.address() as { port: number }

  const mailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails: [] as TakenMail[],
    status: 250,
    async waitFor(count: number, recipient?: string) {
      const taken = () =>
        mailServer.mails.filter(({ to }) => recipient === undefined || to.includes(recipient))
      await until(() => taken().length >= count)
      return taken().slice(0, count)
    },
    refused: (count: number) => until(() => refusals >= count),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
  return mailServer
}

function read(raw: string): Pick<TakenMail, "headers" | "text" | "html" | "raw"> {
  const { headers, body } = split(raw)
  const [, boundary] =
    /^multipart\/alternative;.*boundary="([^"]+)"/.exec(headers.get("content-type") ?? "") ?? []
  if (!boundary) return { headers, text: decodedBody(body, headers), html: "", raw }
  const [text = "", html = ""] = body
    .split(`--${boundary}`)
    .slice(1, 3)
    .map((part) => split(part.replace(/^\r\n/, "").replace(/\r\n$/, "")))
    .map((part) => decodedBody(part.body, part.headers))
  return { headers, text, html, raw }
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf("\r\n\r\n")
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon).toLowerCase(), decodedWords(line.slice(colon + 1).trim())] as const
    }),
  )
  return { headers, body: raw.slice(end + 4) }
}

function decodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(word, "base64").toString("utf8")
        : quotedPrintable(word.replaceAll("_", " ")),
    )
}

function decodedBody(body: string, headers: Map<string, string>): string {
  const encoding = headers.get("content-transfer-encoding")
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8")
  if (encoding === "quoted-printable") return quotedPrintable(body.replace(/=\r\n/g, ""))
  return Buffer.from(body, "latin1").toString("utf8")
}

function quotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, "latin1").toString("utf8")
}
