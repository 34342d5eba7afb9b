import { systemClock } from "../../src/base/clock.ts"
import { readConfig } from "../../src/config/config.ts"
import { openOutbound } from "../../src/webhooks/delivery/outbound.ts"
import { newSecret, signingKey } from "../../src/webhooks/endpoints/signature.ts"
import { depsOf } from "./outbound.ts"

/**
 * Makes one attempt in a process of its own, so that a test can choose its environment: first as the service
 * does, then, with `naive`, by a plain fetch to `naive`, which shows what that environment does to others.
 */
const [url = "", naive] = Bun.argv.slice(2)
const { webhook } = readConfig(process.env)
const { send } = openOutbound(webhook, "https://guichet.acme.fr", depsOf(systemClock))
const sent = await send(
  { id: "ep_1", kind: "https", url, keys: [signingKey(newSecret())] },
  "msg_1",
  new Uint8Array(2),
)
process.stdout.write(JSON.stringify(sent))
if (naive) await fetch(naive).catch(() => {})
