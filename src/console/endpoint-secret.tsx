/** @jsxImportSource preact */
import type { Endpoint } from "../webhooks/endpoint.ts"
import type { Visit } from "./door.ts"
import { Snippet } from "./fields.tsx"
import { sentences as shell } from "./sentences/shell.ts"
import { sentences } from "./sentences/webhooks.ts"
import { page } from "./shell.tsx"

/** The answer to the very request that made the secret: no address leads here, and no other page shows it. */
export function SecretPage(visit: Visit, { id, url }: Endpoint, secret: string, done: string): Response {
  return page(
    visit,
    { title: shell.webhooks, current: "webhooks", done },
    <>
      <h1>{sentences.secretTitle}</h1>
      <section>
        <p class="hint">{url}</p>
        <p class="notice">{sentences.secretOnce}</p>
        <Snippet label={sentences.secret} text={secret} />
      </section>
      <p>
        <a class="button" href={`/console/webhooks/${id}`}>
          {sentences.goOn}
        </a>
      </p>
    </>,
  )
}
