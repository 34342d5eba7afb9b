import type { Language, ReasonWords } from "./words.fr.ts"

/** As the console stores them. Absent where nothing is set, or not to be had. */
export interface Settings {
  title?: string | null
  introduction?: string | null
  suggestions?: string[]
  /** Rules of the look and the colour. */
  style?: string
  position?: "right" | "left"
  theme?: "site" | "light" | "dark"
  button?: string | null
  language?: Language | null
  project_language?: Language
  texts?: Record<Language, OwnersTexts>
  contact?: boolean
  search?: boolean
  /** When the visitor's page got these settings, signed: no visitor began to write before that. */
  started?: string
}

/** Texts that come with the settings; three of them stand in the place of the widget's own, and name the site. */
export interface OwnersTexts extends ReasonWords {
  assistant: string
  searching: string
  notice: string
  write: string
  write_failed: string
}

/** The button waits for this long, so that it does not change under the visitor's hand. */
const timeoutMs = 2000

/**
 * Resolves, never throws: where the settings are not to be had, the widget has its usual look. Undefined where the
 * tag names no project, or the service refuses this page or knows no such project: a visitor could do nothing
 * there.
 */
export async function loadSettings(service: string, project: string): Promise<Settings | undefined> {
  if (!project) return warn(`the tag of ${service}widget.js has no data-project`)
  try {
    const address = `${service}api/v1/projects/${encodeURIComponent(project)}/widget`
    const response = await fetch(address, { signal: AbortSignal.timeout?.(timeoutMs) })
    if (response.ok) return await response.json()
    if (![403, 404].includes(response.status)) return {}
  } catch {
    return {}
  }
  return warn(`no project "${project}" for ${location.origin}`)
}

function warn(text: string): undefined {
  // biome-ignore lint/suspicious/noConsole: the owner looks here, and a visitor could do nothing about it
  console.warn(`Guichet: ${text}`)
}
