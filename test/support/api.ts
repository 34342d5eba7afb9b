import { createToken } from "../../src/accounts/token.ts"
import { defaultWorkspaceId, insertWorkspace } from "../../src/accounts/workspace.ts"
import type { Service } from "./service.ts"

/** Calls the management API with a token of its own. */
export interface Api {
  workspaceId: string
  /** `language`: the one that errors and reasons are wanted in. */
  get(path: string, language?: string): Promise<Answered>
  post(path: string, body?: unknown): Promise<Answered>
  patch(path: string, body?: unknown): Promise<Answered>
  delete(path: string): Promise<Answered>
  call(method: string, path: string, body?: unknown): Promise<Answered>
}

export interface Answered {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what came over HTTP has whatever shape the test asserts
  body: any
}

/** In the default workspace; `scopes`: with a token that may do no more. */
export async function apiOf(service: Service, scopes?: readonly string[]): Promise<Api> {
  return apiIn(service, await defaultWorkspaceId(service.app.db), scopes)
}

/** In a new workspace: everybody else is a stranger to it. */
export async function strangerOf(service: Service): Promise<Api> {
  return apiIn(service, await insertWorkspace(service.app.db, "stranger", service.app.clock.now()))
}

async function apiIn(service: Service, workspaceId: string, scopes?: readonly string[]): Promise<Api> {
  const { app, url } = service
  const { text } = await createToken(app.db, workspaceId, "test", app.clock.now(), scopes)

  async function call(method: string, path: string, body?: unknown, language?: string): Promise<Answered> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${text}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(language !== undefined && { "accept-language": language }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = await response.text()
    const isJson = response.headers.get("content-type")?.includes("json") ?? false
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(answer) : answer,
    }
  }

  return {
    workspaceId,
    get: (path, language) => call("GET", path, undefined, language),
    post: (path, body) => call("POST", path, body),
    patch: (path, body) => call("PATCH", path, body),
    delete: (path) => call("DELETE", path),
    call,
  }
}
