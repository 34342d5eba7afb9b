import { expect, test } from "bun:test"
import { addProject, findProject } from "../../src/workspaces/project.ts"
import { defaultWorkspaceId } from "../../src/workspaces/workspace.ts"
import { signedIn } from "../support/operator.ts"
import { startService } from "../support/service.ts"

test("the page of a project says and changes whether its answers are written or extracted", async () => {
  await using service = await startService()
  const { db, clock } = service.app
  const wanted = { name: "Guide", site: "https://docs.exemple.fr" }
  const { id } = await addProject(db, await defaultWorkspaceId(db), wanted, clock.now())
  const camille = await signedIn(service)
  const path = `/console/projects/${id}`
  expect((await camille.get(path)).text).toMatch(/<option value="written" selected/)
  const saved = await camille.post(path, { ...wanted, assistant: "on", answers: "extractive" })
  expect(saved.status).toBe(303)
  expect((await findProject(db, id))?.answers).toBe("extractive")
  expect((await camille.get(path)).text).toMatch(/<option value="extractive" selected/)
})
