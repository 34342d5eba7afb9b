import { listProjectNames } from "../../accounts/project.ts"
import type { Db } from "../../db/connection.ts"
import { listForms } from "../../forms/definition/form.ts"
import { type Area, allows } from "../../operations/scope.ts"
import type { Code } from "../kit/code-tabs.tsx"

/** Areas by what programs come for most. */
const preferred: readonly Area[] = ["forms", "messages", "answers", "endpoints", "projects", "workspace"]

/** Path of a list that a token with these scopes may read, of what the workspace has. */
export async function firstCall(db: Db, workspaceId: string, scopes: readonly string[]): Promise<string> {
  const area = preferred.find((each) => allows(scopes, `${each}:read`))
  switch (area) {
    case "forms": {
      const [form] = await listForms(db, workspaceId, { atMost: 1 })
      return form ? `/api/v1/forms/${form.id}/responses` : "/api/v1/forms"
    }
    case "messages":
      return "/api/v1/messages?after=0"
    case "answers": {
      const [project] = await listProjectNames(db, workspaceId, 1)
      return `/api/v1/projects/${project?.id ?? "PROJET"}/answers`
    }
    case "endpoints":
      return "/api/v1/endpoints"
    case "projects":
      return "/api/v1/projects"
    default:
      return "/api/v1/workspaces"
  }
}

/** Hands the messages of the workspace at `url` to a program on this machine; undefined without that right. */
export function listenCommand(token: string, url: string, scopes: readonly string[]): string | undefined {
  if (!allows(scopes, "messages:read")) return undefined
  return `GUICHET_TOKEN='${token}' guichet listen --url ${url} --to http://localhost:4000\n`
}

/** Code that reads the first page of the list at `url`, with nothing but what each language brings. */
export function callCode(token: string, url: string): Record<Code, string> {
  return {
    js: `const token = "${token}"

const reply = await fetch("${url}", { headers: { authorization: \`Bearer \${token}\` } })
const { items, error } = await reply.json()
if (error) throw new Error(error.message)
console.log(items)
`,
    python: `import json
from urllib.request import Request, urlopen

TOKEN = "${token}"

request = Request("${url}", headers={"Authorization": f"Bearer {TOKEN}"})
with urlopen(request, timeout=30) as reply:
    items = json.load(reply)["items"]
print(items)
`,
    php: `<?php
$token = '${token}';

$context = stream_context_create(['http' => ['header' => "Authorization: Bearer $token"]]);
$reply = json_decode(file_get_contents('${url}', false, $context), true);
print_r($reply['items']);
`,
    curl: `curl '${url}' -H 'Authorization: Bearer ${token}'
`,
  }
}
