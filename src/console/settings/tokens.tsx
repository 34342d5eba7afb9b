/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { requireRights } from "../../accounts/rights.ts"
import { areas, everyScope } from "../../accounts/scope.ts"
import { issueToken, listTokens, revokeToken, type Token, tokenOfId } from "../../accounts/token.ts"
import { Refusal } from "../../base/errors.ts"
import { dateWriter } from "../kit/dates.ts"
import { doneOf } from "../kit/done.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { Choice, Field, Form, Problem } from "../kit/fields.tsx"
import { type Filled, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { Table } from "../kit/parts.tsx"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { shownOnce } from "../kit/shown-once.tsx"
import { messages } from "../messages/settings.fr.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { SettingsHead } from "./settings-head.tsx"

/** The tokens of the workspace: made, shown once, revoked. */
export function tokensPages(door: Door, { db, clock, config }: ConsoleParts) {
  const date = dateWriter(config.timezone)

  async function shown(visit: Visit, filled: Filled, status: number): Promise<Response> {
    const tokens = await listTokens(db, visit.workspaceId)
    const done = doneOf(visit.query, { revoked: messages.revoked })
    return page(
      visit,
      { title: messages.tokens, current: "settings", status, done },
      <>
        <SettingsHead current="tokens" />
        <p>{messages.tokensIntro}</p>
        {tokens.length === 0 ? <p>{messages.noToken}</p> : <List visit={visit} tokens={tokens} date={date} />}
        {visit.may("owner") ? (
          <Form visit={visit} action="/console/settings/tokens" once>
            <h2>{messages.createToken}</h2>
            <Problem filled={filled} />
            <Field filled={filled} name="name" label={messages.tokenName} hint={messages.tokenNameHint} />
            <fieldset>
              <legend>{messages.scopes}</legend>
              {filled.problems["scopes"] && <p class="wrong">{filled.problems["scopes"]}</p>}
              {areas.map((area) => (
                <Choice
                  key={area}
                  filled={filled}
                  name={area}
                  label={messages.areas[area]}
                  value="none"
                  choices={Object.entries(messages.access)}
                />
              ))}
            </fieldset>
            <button type="submit">{messages.createToken}</button>
          </Form>
        ) : (
          <p class="hint">{messages.ownersOnly}</p>
        )}
      </>,
    )
  }

  return new Elysia({ name: "console-tokens", prefix: "/console/settings/tokens" })
    .get(
      "",
      door.page((visit) => shown(visit, untouched, 200)),
    )
    .post(
      "",
      door.action(
        "owner",
        async (sent) => {
          const name = sent.values.get("name") ?? ""
          const wanted = {
            workspaceId: sent.workspaceId,
            name,
            scopes: scopesIn(sent.values),
            heldScopes: sent.held,
          }
          const { id, text } = await issueToken(db, wanted, clock.now())
          sent.about(id, name)
          return made(sent, text)
        },
        shown,
      ),
      { parse: "none" },
    )
    .post(
      "/:token/removal",
      door.action(
        "owner",
        async (sent) => {
          const token = await tokenOfId(db, sent.workspaceId, sent.params["token"] ?? "")
          if (!token) throw new Refusal("not_found", shellMessages.unknownPage)
          requireRights({ held: sent.held, taken: token.scopes })
          await revokeToken(db, token.id, sent.workspaceId)
          sent.about(token.id, token.name)
          return seeOther("/console/settings/tokens?done=revoked")
        },
        shown,
      ),
      { parse: "none" },
    )
}

/** Everything to be written in every area is `all`. */
function scopesIn(values: URLSearchParams): string[] {
  const scopes = areas.flatMap((area) => {
    const access = values.get(area)
    return access === "read" || access === "write" ? [`${area}:${access}`] : []
  })
  return areas.every((area) => scopes.includes(`${area}:write`)) ? [everyScope] : scopes
}

function made(visit: Visit, text: string): Response {
  return shownOnce(visit, {
    heading: messages.createToken,
    current: "settings",
    done: messages.tokenCreated,
    notice: messages.tokenOnce,
    label: messages.token,
    text,
    next: "/console/settings/tokens",
  })
}

function List({ visit, tokens, date }: { visit: Visit; tokens: Token[]; date: (at: number) => string }) {
  const { tokenName, scopes, since, lastUsed, actions } = messages
  return (
    <Table label={messages.tokens} head={[tokenName, scopes, since, lastUsed, actions]}>
      {tokens.map((token) => (
        <tr key={token.id}>
          <td>{token.name || messages.unnamed}</td>
          <td>{scopesOf(token)}</td>
          <td>{date(token.createdAt)}</td>
          <td>{token.lastUsedAt === null ? messages.neverUsed : date(token.lastUsedAt)}</td>
          <td>
            {visit.may("owner") && (
              <Form
                visit={visit}
                action={`/console/settings/tokens/${token.id}/removal`}
                confirm={messages.revokeConfirm}
              >
                <button type="submit" class="quiet" aria-label={messages.revokeOf(token.name || token.id)}>
                  {messages.revoke}
                </button>
              </Form>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

function scopesOf({ scopes }: Token): string {
  if (scopes.includes(everyScope)) return messages.all
  return areas
    .flatMap((area) => {
      const access = (["write", "read"] as const).find((each) => scopes.includes(`${area}:${each}`))
      return access ? [`${messages.areas[area]}\u00a0: ${messages.access[access]}`] : []
    })
    .join(" · ")
}
