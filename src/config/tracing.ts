import type { SettingReader } from "./parse.ts"
import { settings } from "./settings.ts"

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const

/** Where spans go (OpenTelemetry), by the names that its specification gives to the variables. */
export interface TracingSettings {
  /** Address of the collector's traces. */
  url: string
  serviceName: string
  sampler: (typeof samplers)[number]
  /** Share of the traces that `…traceidratio` keeps. */
  ratio: number
}

/** Undefined where no collector is set. */
export function tracingSettings(read: SettingReader): TracingSettings | undefined {
  const endpoint = read.url(settings.otlpEndpoint)
  const sampler = read.oneOf(settings.tracesSampler, samplers)
  const typed = read.text(settings.tracesSamplerArg)
  const ratio = Number(typed)
  if (!/^\d(\.\d+)?$/.test(typed) || ratio > 1)
    read.problems.push(`${settings.tracesSamplerArg.name}=${typed} is not a share from 0 to 1`)
  const serviceName = read.text(settings.otelServiceName)
  return endpoint === undefined ? undefined : { url: `${endpoint}/v1/traces`, serviceName, sampler, ratio }
}

/** `name=value,…`, the values as in a URL (W3C Baggage). Undefined: none. */
export function tracingHeaders(read: SettingReader): Record<string, string> | undefined {
  const parts = read.list(settings.otlpHeaders)
  const headers: Record<string, string> = {}
  for (const part of parts) {
    const [, name = "", encoded = ""] = /^([\w!#$%&'*+.^`|~-]+) ?= ?(\S+)$/.exec(part) ?? []
    const value = decoded(encoded)
    if (name && value !== undefined) headers[name.toLowerCase()] = value
    else if (!read.problems.includes(wrongHeaders)) read.problems.push(wrongHeaders)
  }
  return parts.length > 0 ? headers : undefined
}

/** Names no value: each may be a password. */
const wrongHeaders = `${settings.otlpHeaders.name} is not name=value,… with values encoded as in a URL`

function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text)
    return /^[\x20-\x7e]+$/.test(value) ? value : undefined
  } catch {
    return undefined
  }
}
