import { startMailServer } from "../../support/smtp.ts"

export interface TakenMail {
  /** Message-ID: the same whenever the same mail is sent. */
  id: string
  to: string
  node: number
  atMs: number
}

/** A mail server for each node, so that it is known who sent what. */
export interface Mailboxes extends AsyncDisposable {
  mails: readonly TakenMail[]
  settingsOf(node: number): Record<string, string>
}

export async function startMailboxes(nodes: number): Promise<Mailboxes> {
  const mails: TakenMail[] = []
  await using opened = new AsyncDisposableStack()
  const urls: string[] = []
  for (let node = 0; node < nodes; node++) {
    const server = opened.use(
      await startMailServer(({ headers, to }) =>
        mails.push({ id: headers.get("message-id") ?? "", to: to[0] ?? "", node, atMs: Date.now() }),
      ),
    )
    urls.push(server.url)
  }
  const kept = opened.move()
  return {
    mails,
    settingsOf: (node) => ({ GUICHET_SMTP_URL: urls[node] as string }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
