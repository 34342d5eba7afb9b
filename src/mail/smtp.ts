import { createTransport } from "nodemailer"
import { secondMs } from "../base/clock.ts"
import { MailRefused, type SendMail } from "./outbox.ts"

/**
 * Sends by the SMTP server that the settings name (`smtps://user:password@host:465`,
 * `smtp://user:password@host:587`).
 */
export function smtpSender(url: string, from: string): SendMail {
  const transport = createTransport({
    url,
    requireTLS: needsEncryption(url),
    connectionTimeout: 10 * secondMs,
    greetingTimeout: 10 * secondMs,
    socketTimeout: 30 * secondMs,
    // What a mail says is text from strangers: it must never name a file or an address to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? "localhost"

  return async ({ id, to, subject, text }) => {
    try {
      await transport.sendMail({
        from,
        // As an object, so that no comma or angle bracket makes two recipients of it.
        to: { name: "", address: to },
        subject,
        text,
        // The same at every try: a mail sent twice by a crash can be recognised.
        messageId: `<${id}@${domain}>`,
        headers: { "Auto-Submitted": "auto-generated" },
      })
    } catch (error) {
      throw isRefusedRecipient(error) ? new MailRefused("recipient refused", { cause: error }) : error
    }
  }
}

/** Connects and signs in, and sends nothing. Rejects when that fails. */
export async function greetSmtp(url: string): Promise<void> {
  const timeoutMs = 8 * secondMs
  const transport = createTransport({
    url,
    requireTLS: needsEncryption(url),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/**
 * A password leaves this machine encrypted or not at all: whoever stands in between could otherwise hide that
 * the server offers it.
 */
function needsEncryption(url: string): boolean {
  const { password, hostname } = new URL(url)
  return password !== "" && !["127.0.0.1", "[::1]", "localhost"].includes(hostname)
}

function isRefusedRecipient(error: unknown): boolean {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
  return code === "EENVELOPE" && command === "RCPT TO" && (responseCode ?? 0) >= 500
}
