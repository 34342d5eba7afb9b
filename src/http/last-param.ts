/**
 * Value of the last parameter of a route's path: `responseId` for `/forms/:id/responses/:responseId`. The
 * route is read because Elysia does not keep the order of the path in `params`.
 */
export function lastParam(route: string, params: Record<string, string>): string | undefined {
  const name = route.match(/(?<=\/:)\w+/g)?.at(-1)
  return name === undefined ? undefined : params[name]
}
