/**
 * A service that answers about Guichet's own documentation, in a process of its own. Says its address and its project.
 * Its clock runs ahead, so that the last minute never has more questions than a real site gets.
 */
import { insertProject } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { minuteMs } from "../../../src/base/clock.ts"
import { demo, indexFolder, origin } from "../../support/ask.ts"
import { movableClock } from "../../support/clock.ts"
import { aService } from "../../support/service-builder.ts"
import { answerCommands } from "./child.ts"

export interface Answering {
  url: string
  project: string
}

const clock = movableClock()
const settings: Record<string, string> = JSON.parse(process.argv[2] as string)
await using service = await aService().withClock(clock).withSettings(settings).started()
const { app, url } = service
const wanted = { name: "Guide", site: origin }
const project = await insertProject(app.db, await defaultWorkspaceId(app.db), wanted, clock.now())
await indexFolder(app, project, demo)
setInterval(() => clock.move(minuteMs), 100).unref()
const answering: Answering = { url, project: project.id }
await answerCommands(JSON.stringify(answering), (command) => command)
