import { type ComponentChildren, Fragment } from "preact"
import { render } from "preact-render-to-string"
import type { FormMails, MailedValue } from "../forms/deps.ts"
import { tokens } from "../style/tokens.ts"

/** One part of a mail, in reading order. */
export type Block =
  | { kind: "text" | "quote"; text: string }
  | { kind: "link"; label: string; url: string }
  | { kind: "values"; values: MailedValue[] }

export interface MailPlan {
  site: { name: string; url: string }
  subject: string
  blocks: Block[]
  footer: string
}

/** The same mail as plain text and as HTML. Neither requests anything from anywhere when it is opened. */
export function renderMail(plan: MailPlan): ReturnType<FormMails["receipt"]> {
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
      return block.values
        .map(({ label, value, links }) =>
          [
            `${label}\u00a0:`,
            ...(value ? [value] : []),
            ...links.flatMap(({ name, url }) => [name, url]),
          ].join("\n"),
        )
        .join("\n\n")
  }
}

/** Colours of a light and a dark screen. Programs that ignore the style sheet show the light ones. */
const style = `
@media (prefers-color-scheme: dark) {
  .paper { background: ${tokens.paper[1]} !important }
  .card { background: ${tokens.card[1]} !important; border-color: ${tokens.line[1]} !important }
  .ink { color: ${tokens.ink[1]} !important }
  .soft { color: ${tokens.soft[1]} !important }
  .quote { border-color: ${tokens.accent[1]} !important }
  .button { background: ${tokens.accent[1]} !important; color: ${tokens["on-accent"][1]} !important }
  a.soft { color: ${tokens.accent[1]} !important }
}`

const ink = `color:${tokens.ink[0]};`
const soft = `color:${tokens.soft[0]};`

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
      <body class="paper" style={`margin:0;padding:24px 12px;background:${tokens.paper[0]}`}>
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
                style={`max-width:560px;background:${tokens.card[0]};border:1px solid ${tokens.line[0]};border-radius:10px`}
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
                <a class="soft" href={site.url} style={`color:${tokens.accent[0]}`}>
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
          style={`margin:0 0 20px;padding:2px 0 2px 16px;border-left:4px solid ${tokens.accent[0]};white-space:pre-line`}
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
            style={`display:inline-block;padding:11px 20px;border-radius:8px;background:${tokens.accent[0]};color:${tokens["on-accent"][0]};font-weight:600;text-decoration:none`}
          >
            {block.label}
          </a>
        </p>
      )
    case "values":
      return block.values.map(({ label, value, links }, place) => (
        <p key={place} style="margin:0 0 16px;white-space:pre-line;overflow-wrap:anywhere">
          <span class="soft" style={`font-size:14px;${soft}`}>
            {label}
          </span>
          <br />
          {value}
          {links.map(({ name, url }, place) => (
            <Fragment key={url}>
              {place > 0 && <br />}
              <a class="soft" href={url} style={`color:${tokens.accent[0]}`}>
                {name}
              </a>
            </Fragment>
          ))}
        </p>
      ))
  }
}
