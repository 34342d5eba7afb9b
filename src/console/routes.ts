import { Elysia } from "elysia"
import { Refusal } from "../errors.ts"
import { assetRoutes } from "./assets.ts"
import { type ConsoleParts, openDoor } from "./door.ts"
import { indexingPages } from "./indexing.tsx"
import { projectPages } from "./project.tsx"
import { projectsPages } from "./projects.tsx"
import { questionPages } from "./questions.tsx"
import { sentences } from "./sentences/shell.ts"
import { setupRoutes } from "./setup.tsx"
import { signInRoutes } from "./sign-in.tsx"
import { workspaceRoutes } from "./workspace.ts"

/** `/console`: every page and action of operators, one `.use()` per page. */
export function consoleRoutes(parts: ConsoleParts) {
  const door = openDoor(parts)
  return new Elysia({ name: "console" })
    .use(assetRoutes())
    .use(signInRoutes(door, parts))
    .use(setupRoutes(parts))
    .use(workspaceRoutes(door, parts))
    .use(projectsPages(door, parts))
    .use(projectPages(door, parts))
    .use(indexingPages(door, parts))
    .use(questionPages(door, parts))
    .get(
      "/console/*",
      door.page(() => {
        throw new Refusal("not_found", sentences.unknownPage)
      }),
    )
}
