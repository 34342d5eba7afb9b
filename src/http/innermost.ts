/**
 * What the last part of a route's path names: of `/forms/:id/responses/:responseId` the response. Elysia
 * gives the parts of a path in an order of its own.
 */
export function innermost(route: string, params: Record<string, string>): string | undefined {
  const name = route.match(/(?<=\/:)\w+/g)?.at(-1)
  return name === undefined ? undefined : params[name]
}
