/**
 * A service with three projects of the same documentation, in a process of its own, whose memory is its alone.
 */

import { type Answers, insertProject } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { type App, openApp } from "../../../src/app.ts"
import { hourMs } from "../../../src/base/clock.ts"
import { readConfig } from "../../../src/config/config.ts"
import { demo, indexFolder, origin } from "../../support/ask.ts"
import { movableClock } from "../../support/clock.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"
import { plenty } from "../figures.ts"

/** What the process says once it serves. */
export interface Ready {
  url: string
  /** Identifiers of the projects. */
  written: string
  extractive: string
  /** Its answers are extracted; no crowd asks it. */
  beside: string
}

/** What it may be told: to free what it can, or that an hour has passed. Said back when done. */
export type Told = "free" | "later"

if (import.meta.main) {
  using folder = temporaryFolder()
  const environment = { ...plenty, ...process.env, GUICHET_DATA_DIR: folder.path } as Record<string, string>
  const clock = movableClock()
  const indexed = async (app: App, answers: Answers, name: string = answers) => {
    const wanted = { name, site: origin, answers }
    const project = await insertProject(app.db, await defaultWorkspaceId(app.db), wanted, clock.now())
    await indexFolder(app, project, demo)
    return project.id
  }
  const projects = async () => {
    await using app = await openApp(readConfig(environment), { clock })
    return {
      written: await indexed(app, "written"),
      extractive: await indexed(app, "extractive"),
      beside: await indexed(app, "extractive", "beside"),
    }
  }
  const made = await projects()
  // The model is never left alone, so that each crowd finds it stalling.
  const modelLimits = { firstPieceMs: 4000, answerMs: 8000, outagesToOpen: Number.POSITIVE_INFINITY }
  await using service = await aService()
    .withSettings(environment)
    .withOverrides({ clock, modelLimits })
    .started()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  process.on("message", (told: Told) => {
    if (told === "free") Bun.gc(true)
    else clock.move(hourMs)
    process.send?.(told)
  })
  process.on("disconnect", end)
  process.send?.({ url: service.url, ...made } satisfies Ready)
  await ended
}
