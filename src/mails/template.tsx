/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { render } from "preact-render-to-string"
import type { FormMails } from "../forms/deps.ts"

/** One part of a mail, in reading order. */
export type Block =
  | { kind: "text" | "quote"; text: string }
  | { kind: "link"; label: string; url: string }
  | { kind: "values"; values: { label: string; value: string }[] }

export interface MailPlan {
  site: { name: string; url: string }
  subject: string
  blocks: Block[]
  /** Who sends this mail, and why. */
  footer: string
}

/** The same mail as plain text and as HTML. Neither requests anything from anywhere when it is opened. */
export function mailOf(plan: MailPlan): ReturnType<FormMails["receipt"]> {
  const { subject, blocks, footer } = plan
  const text = `${blocks.map(plainBlock).join("\n\n")}\n\n-- \n${footer}\n`
  return { subject, text, html: `<!doctype html>${render(<Letter plan={plan} />)}` }
}

function plainBlock(block: Block): string {
  switch (block.kind) {
    case "text":
      return block.text
    case "quote":
      return `«\u00a0${block.text}\u00a0»`
    case "link":
      return `${block.label}\u00a0:\n${block.url}`
    case "values":
      return block.values.map(({ label, value }) => `${label}\u00a0:\n${value}`).join("\n\n")
  }
}

/** Colours of a light and a dark screen. Programs that ignore the style sheet show the light ones. */
const style = `
@media (prefers-color-scheme: dark) {
  .paper { background: #14181f !important }
  .card { background: #1c222b !important; border-color: #333c48 !important }
  .ink { color: #e6e9ee !important }
  .soft { color: #a3aebd !important }
  .quote { border-color: #8ab4f0 !important }
  .button { background: #8ab4f0 !important; color: #0f1823 !important }
  a.soft { color: #8ab4f0 !important }
}`

const ink = "color:#1c2430;"
const soft = "color:#566273;"

function Letter({ plan }: { plan: MailPlan }) {
  const { site, subject, blocks, footer } = plan
  return (
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{subject}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body class="paper" style="margin:0;padding:24px 12px;background:#f4f6f8">
        {/* A table, because mail programs of offices know no other way to limit a width. */}
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
          <tr>
            <td align="center">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                class="card"
                style="max-width:560px;background:#ffffff;border:1px solid #dde2e9;border-radius:10px"
              >
                <tr>
                  <td
                    class="ink"
                    style={`padding:28px 28px 8px;text-align:left;font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;${ink}`}
                  >
                    <p class="soft" style={`margin:0 0 20px;font-size:14px;font-weight:600;${soft}`}>
                      {site.name}
                    </p>
                    {blocks.map((block, place) => (
                      <Part key={place} block={block} />
                    ))}
                  </td>
                </tr>
              </table>
              <p
                class="soft"
                style={`max-width:560px;margin:16px auto 0;font:13px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;${soft}`}
              >
                {footer}{" "}
                <a class="soft" href={site.url} style="color:#1d4f91">
                  {site.url}
                </a>
              </p>
            </td>
          </tr>
        </table>
      </body>
    </html>
  )
}

function Part({ block }: { block: Block }): ComponentChildren {
  switch (block.kind) {
    case "text":
      return <p style="margin:0 0 20px;white-space:pre-line">{block.text}</p>
    case "quote":
      return (
        <p
          class="quote"
          style="margin:0 0 20px;padding:2px 0 2px 16px;border-left:4px solid #1d4f91;white-space:pre-line"
        >
          {block.text}
        </p>
      )
    case "link":
      return (
        <p style="margin:0 0 20px">
          <a
            class="button"
            href={block.url}
            style="display:inline-block;padding:11px 20px;border-radius:8px;background:#1d4f91;color:#ffffff;font-weight:600;text-decoration:none"
          >
            {block.label}
          </a>
        </p>
      )
    case "values":
      return block.values.map(({ label, value }, place) => (
        <p key={place} style="margin:0 0 16px;white-space:pre-line;overflow-wrap:anywhere">
          <span class="soft" style={`font-size:14px;${soft}`}>
            {label}
          </span>
          <br />
          {value}
        </p>
      ))
  }
}
