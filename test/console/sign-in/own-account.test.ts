import { expect, test } from "bun:test"
import { addMember, addOperator, findOperator } from "../../../src/accounts/operator.ts"
import { insertWorkspace } from "../../../src/accounts/workspace.ts"
import { apiOf } from "../../support/api.ts"
import { consoleClient, password, signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

const path = "/console/settings/account"

test("who knows the password ends their own account, in all their workspaces, and each of them notes it", async () => {
  await using service = await aService().started()
  const { db, clock } = service.app
  const api = await apiOf(service)
  await signedIn(service)
  const lea = await signedIn(service, "editor")
  const other = await insertWorkspace(db, "Autre", clock.now())
  const owner = { workspaceId: other, email: "chef@exemple.fr", role: "owner", password } as const
  await addOperator(db, owner, clock.now())
  await addMember(db, { workspaceId: other, operatorId: lea.operatorId, role: "viewer" }, clock.now())

  await lea.get(path)
  const wrong = await lea.post(`${path}/removal`, { end: "yes", present_password: "un autre mot de passe" })
  expect(wrong.status).toBe(400)
  expect(await findOperator(db, lea.email)).toBeDefined()
  const ended = await lea.post(`${path}/removal`, { end: "yes", present_password: password })
  expect([ended.status, ended.location]).toEqual([303, "/console/sign-in?done=ended"])
  expect(await findOperator(db, lea.email)).toBeUndefined()
  expect((await lea.get("/console")).status).toBe(303)
  expect((await api.get("/api/v1/journal")).body.items[0]).toMatchObject({
    action: "account.ended",
    subject_name: lea.email,
  })
  const noted = await db.selectFrom("audit_log").select("subject").where("workspace_id", "=", other).execute()
  expect(noted).toEqual([{ subject: lea.operatorId }])
})

test("the only owner of any workspace stays, with all of theirs", async () => {
  await using service = await aService().started()
  const { db, clock } = service.app
  const camille = await signedIn(service)
  const sacha = await signedIn(service)
  const other = await insertWorkspace(db, "Autre", clock.now())
  await addMember(db, { workspaceId: other, operatorId: camille.operatorId, role: "owner" }, clock.now())
  await camille.get(path)
  const refused = await camille.post(`${path}/removal`, { end: "yes", present_password: password })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain("nommez-en d’abord un autre")
  const members = await db.selectFrom("member").select("operator_id").execute()
  expect(members.filter(({ operator_id }) => operator_id === camille.operatorId)).toHaveLength(2)
  expect((await sacha.get("/console")).status).toBe(200)
  const again = consoleClient(service)
  const signed = await again.post("/console/sign-in", { email: camille.email, password }, { token: null })
  expect(signed.status).toBe(303)
})
