import { createTransport } from "nodemailer"
import { secondMs } from "../base/clock.ts"
import { oneLine } from "../base/text.ts"
import type { Authorities } from "../outbound/authorities.ts"
import { MailRefused, type SendMail } from "./outbox.ts"

/** Sends mails by an SMTP server: `smtps://user:password@host:465` or `smtp://user:password@host:587`. */
export function smtpSender(url: () => string, from: string, authorities: Authorities): SendMail {
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? "localhost"

  return async ({ id, to, subject, text, html, fromName, replyTo, isReply }) => {
    // Made for each mail: its address and the authorities may have been read again.
    const transport = transportTo(url(), authorities, { connectMs: 10 * secondMs, silenceMs: 30 * secondMs })
    try {
      await transport.sendMail({
        from: fromName === undefined ? from : named(fromName, from),
        // An object, so that a comma or angle bracket in the address never makes a second recipient.
        to: { name: "", address: to },
        ...(replyTo !== undefined && isInAscii(replyTo) && { replyTo: { name: "", address: replyTo } }),
        subject,
        text,
        ...(html !== undefined && { html }),
        // The same at every try, so that a mail sent twice because of a crash can be recognised.
        messageId: `<${id}@${domain}>`,
        headers: {
          "Auto-Submitted": isReply ? "auto-replied" : "auto-generated",
          // Exchange heeds nothing else. Without NDR: that an address does not exist is to come back.
          "X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply",
        },
      })
    } catch (error) {
      throw isRefusedRecipient(error) ? new MailRefused("recipient refused", { cause: error }) : error
    }
  }
}

/** An owner chose it: no line break makes a header of it, and no @ has it pass for another address. */
function named(name: string, from: string) {
  const address = (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim()
  return { name: oneLine(name.replaceAll("@", " "), maxSenderName), address }
}

/**
 * Letters beyond ASCII before the @ need SMTPUTF8, which a mail to an address without them goes without: an answer then
 * goes to the sender. A domain is written in ASCII.
 */
const isInAscii = (address: string) => /^[!-~]+@/.test(address)

/** Programs show some thirty characters. */
const maxSenderName = 80

/** Connects and authenticates without sending. Rejects on failure. */
export async function greetSmtp(url: string, authorities: Authorities): Promise<void> {
  const transport = transportTo(url, authorities, { connectMs: 8 * secondMs, silenceMs: 8 * secondMs })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

interface Waits {
  connectMs: number
  silenceMs: number
}

function transportTo(url: string, authorities: Authorities, { connectMs, silenceMs }: Waits) {
  return createTransport({
    url,
    requireTLS: needsEncryption(url),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    // NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would let any certificate pass. A mail server on this machine
    // has one of its own as a rule, and without a password there is nothing that it could be told.
    tls: { rejectUnauthorized: hasPassword(url) || !isOnLoopback(url), ca: authorities.pem() },
    // Mails contain text from strangers, which must never make nodemailer read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** With opportunistic STARTTLS an attacker in between could hide that the server offers it. */
function needsEncryption(url: string): boolean {
  return hasPassword(url) && !isOnLoopback(url)
}

const hasPassword = (url: string) => new URL(url).password !== ""
const isOnLoopback = (url: string) => ["127.0.0.1", "[::1]", "localhost"].includes(new URL(url).hostname)

function isRefusedRecipient(error: unknown): boolean {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
  return code === "EENVELOPE" && command === "RCPT TO" && (responseCode ?? 0) >= 500
}
