import type { Project } from "../../accounts/project.ts"
import { Field, Snippet } from "../kit/forms/fields.tsx"
import { words } from "./programs.fr.ts"

/** Whether programs may ask and read. */
export function ProgramFields({ project: { mcpEnabled, llmsEnabled } }: { project: Project }) {
  return (
    <>
      <h2>{words.programs}</h2>
      <p class="hint">{words.programsHint}</p>
      <Field name="mcp_enabled" type="box" label={words.mcp} hint={words.mcpHint} checked={mcpEnabled} />
      <Field name="llms_enabled" type="box" label={words.llms} hint={words.llmsHint} checked={llmsEnabled} />
    </>
  )
}

interface AddressesProps {
  project: Project
  publicUrl: string
}

/** How programs are told the address. Outside of the fields: whoever may not change these may copy it. */
export function ProgramAddresses({ project, publicUrl }: AddressesProps) {
  const { mcpEnabled, llmsEnabled, id } = project
  const url = `${publicUrl}/mcp/${id}`
  const address = `${publicUrl}/llms/${id}`
  return (
    <>
      {mcpEnabled && (
        <>
          <Snippet label={words.address} text={url} />
          <Snippet label={words.adding} text={waysToAdd(project, url)} />
        </>
      )}
      {llmsEnabled && <Snippet label={words.llms} text={`${address}/llms.txt\n${address}/llms-full.txt`} />}
    </>
  )
}

/** How the programs that most people use are told of a server. */
function waysToAdd({ site }: Project, url: string): string {
  const name = new URL(site).hostname.replace(/[^a-z0-9]+/g, "-")
  const inVsCode = { servers: { [name]: { type: "http", url } } }
  const inCursor = { mcpServers: { [name]: { url } } }
  return [
    `${words.claude} claude mcp add --transport http ${name} ${url}`,
    `${words.vsCode} ${JSON.stringify(inVsCode)}`,
    `${words.cursor} ${JSON.stringify(inCursor)}`,
  ].join("\n")
}
