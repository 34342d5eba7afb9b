/**
 * The visitors of the benchmark, in a process of their own. Each response holds the time at which it was sent. Writes a line with how
 * many were accepted per second.
 *
 *   bun visitors.ts FORM_URL ORIGIN COUNT RATE|0 (0: 64 visitors, each as fast as it is answered)
 */
const [url = "", origin = "", ...numbers] = process.argv.slice(2)
const [count = 0, rate = 0] = numbers.map(Number)
const atOnce = 64

async function post(): Promise<void> {
  const sent = String(performance.timeOrigin + performance.now())
  const response = await fetch(url, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ sent, texte: "x".repeat(700) }),
  })
  if (response.status !== 201) throw new Error(`refused with ${response.status}`)
}

async function atRate(): Promise<void> {
  const posts: Promise<void>[] = []
  const started = performance.now()
  for (let number = 0; number < count; number++) {
    const waitMs = started + (number * 1000) / rate - performance.now()
    if (waitMs > 0) await Bun.sleep(waitMs)
    posts.push(post())
  }
  await Promise.all(posts)
}

async function asFastAsAnswered(): Promise<void> {
  let left = count
  const visitor = async () => {
    while (left-- > 0) await post()
  }
  await Promise.all(Array.from({ length: atOnce }, visitor))
}

const started = performance.now()
await (rate > 0 ? atRate() : asFastAsAnswered())
process.stdout.write(`${count / ((performance.now() - started) / 1000)}\n`)
