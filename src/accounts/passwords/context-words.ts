import type { Db } from "../../db/connection.ts"

/** Words of the service, its trade and its roles: what people here would put into a password first. */
const ownWords = [
  "guichet",
  "console",
  "accueil",
  "mairie",
  "commune",
  "ville",
  "prefecture",
  "agglo",
  "metropole",
]
const roleWords = [
  "admin",
  "administrateur",
  "proprietaire",
  "operateur",
  "editeur",
  "lecteur",
  "secretariat",
]
const atMost = 20
const shortestWord = 3

/** Words of an account that a password is not to be made of: its address, its workspaces, their projects and sites. */
export async function contextWords(db: Db, email: string): Promise<string[]> {
  const workspaces = await db
    .selectFrom("workspace")
    .select(["id", "name"])
    .where(({ eb, or, selectFrom }) =>
      or([
        eb(
          "id",
          "in",
          selectFrom("member")
            .innerJoin("operator", "operator.id", "member.operator_id")
            .select("workspace_id")
            .where("email", "=", email),
        ),
        eb("id", "in", selectFrom("invitation").select("workspace_id").where("email", "=", email)),
      ]),
    )
    .limit(atMost)
    .execute()
  const projects = await db
    .selectFrom("project")
    .select(["name", "site"])
    .where("workspace_id", "in", ["", ...workspaces.map(({ id }) => id)])
    .limit(atMost)
    .execute()
  const texts = [
    email,
    ...workspaces.map(({ name }) => name),
    ...projects.flatMap(({ name, site }) => [name, site]),
  ]
  return [...new Set([...ownWords, ...roleWords, ...texts.flatMap(wordsIn)])]
}

function wordsIn(text: string): string[] {
  const words = plainWord(text).split(/[^\p{L}\p{N}]+/u)
  return words.filter((word) => word.length >= shortestWord)
}

/** In lower case and without accents, which people leave out of passwords. */
export function plainWord(text: string): string {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")
}
