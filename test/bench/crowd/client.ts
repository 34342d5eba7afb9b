/**
 * Asks many questions at once, from a process of its own: Bun's fetch keeps 256 requests of a process in
 * flight, ours included.
 */

export interface Crowd {
  url: string
  origin: string
  project: string
  questions: string[]
}

/** Status and milliseconds of each reply. */
export type Told = [status: number, ms: number][]

if (import.meta.main) {
  const { url, origin, project, questions } = (await Bun.stdin.json()) as Crowd
  const told = await Promise.all(
    questions.map(async (question): Promise<Told[number]> => {
      const startedAt = performance.now()
      const { status } = await fetch(`${url}/api/v1/ask`, {
        method: "POST",
        headers: { "content-type": "application/json", origin },
        body: JSON.stringify({ project, question }),
      })
      return [status, performance.now() - startedAt]
    }),
  )
  process.stdout.write(JSON.stringify(told satisfies Told))
}
