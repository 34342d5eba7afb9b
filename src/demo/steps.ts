// `/docs/steps.js`, browser code of the demo's pages: ticks the steps of the bar as they happen.

const everyMs = 2000
const items = [...document.querySelectorAll<HTMLElement>("[data-step]")]
const timer = setInterval(tick, everyMs)
document.addEventListener("guichet:answer", tick)
// The console opens in a tab of its own.
document.addEventListener("visibilitychange", tick)
void tick()

async function tick(): Promise<void> {
  if (document.hidden) return
  const reply = await fetch("/docs/steps.json").catch(() => undefined)
  const steps: Record<string, unknown> = reply?.ok ? await reply.json() : {}
  for (const item of items) {
    const state = item.querySelector<HTMLElement>(".sr")
    if (!state || steps[item.dataset["step"] ?? ""] !== true) continue
    item.classList.add("done")
    state.textContent = state.dataset["done"] ?? ""
  }
  if (items.every((item) => item.classList.contains("done"))) clearInterval(timer)
}
