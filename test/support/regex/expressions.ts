import { join } from "node:path"
import {
  isBinaryExpression,
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isRegularExpressionLiteral,
  isStringLiteral,
  type Node,
} from "typescript/unstable/ast"
import { API } from "typescript/unstable/async"

/** A regular expression of a program. */
export interface Expression {
  /** `folder/file.ts:12` */
  place: string
  source: string
  flags: string
}

export interface Expressions {
  constant: Expression[]
  /** Those that are put together while the program runs, as they are written. */
  computed: { file: string; text: string }[]
}

/**
 * Every regular expression of a TypeScript project, found by the compiler: literals, `RegExp(…)` and
 * `.match("…")` of constant texts, and the patterns of TypeBox schemas.
 */
export async function expressionsIn(folder: string): Promise<Expressions> {
  const found: Expressions = { constant: [], computed: [] }
  const api = new API({ cwd: folder })
  try {
    const snapshot = await api.updateSnapshot({ openProject: join(folder, "tsconfig.json") })
    const program = snapshot.getProjects()[0]?.program
    for (const name of [...new Bun.Glob("**/*.{ts,tsx}").scanSync(folder)].sort()) {
      const file = await program?.getSourceFile(join(folder, name))
      if (!file) throw new Error(`${name} is no part of the project in ${folder}`)
      look(file, (node) => {
        const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
        const expression = expressionOf(node)
        if (expression === "computed") found.computed.push({ file: name, text: node.getText(file) })
        else if (expression) found.constant.push({ place: `${name}:${line}`, ...expression })
      })
    }
  } finally {
    await api.close()
  }
  return found
}

function look(node: Node, at: (node: Node) => void): void {
  at(node)
  node.forEachChild((child) => look(child, at))
}

type Found = Omit<Expression, "place"> | "computed" | undefined

function expressionOf(node: Node): Found {
  if (isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf("/")
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
  }
  if (isPropertyAssignment(node)) return patternOf(node)
  if (!isNewExpression(node) && !isCallExpression(node)) return undefined
  const [pattern, flags] = node.arguments ?? []
  const { expression: called } = node
  if (isIdentifier(called) && called.text === "RegExp") {
    const source = pattern && constantOf(pattern)
    const constantFlags = flags ? constantOf(flags) : ""
    if (source === undefined || constantFlags === undefined) return "computed"
    return { source, flags: constantFlags }
  }
  if (isPropertyAccessExpression(called) && /^(?:match|matchAll|search)$/.test(called.name.text)) {
    const source = pattern && constantOf(pattern)
    return source === undefined ? undefined : { source, flags: "g" }
  }
  return undefined
}

/** `Type.String({ pattern: "…" })` */
function patternOf(node: Node): Found {
  if (!isPropertyAssignment(node) || node.name.getText() !== "pattern") return undefined
  const call = isObjectLiteralExpression(node.parent) ? node.parent.parent : undefined
  if (!call || !isCallExpression(call) || call.expression.getText() !== "Type.String") return undefined
  const source = constantOf(node.initializer)
  return source === undefined ? "computed" : { source, flags: "" }
}

function constantOf(node: Node): string | undefined {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!isBinaryExpression(node)) return undefined
  const [left, right] = [constantOf(node.left), constantOf(node.right)]
  return left === undefined || right === undefined || node.operatorToken.getText() !== "+"
    ? undefined
    : left + right
}
