import page from "../../data/operate/verify-a-webhook.md" with { type: "text" }

export type CodeLanguage = "js" | "python" | "php"

/** Code that verifies a webhook by hand, as data/operate/verify-a-webhook.md gives it and a test runs it. */
export const verificationCode: Record<CodeLanguage, string> = {
  js: codeBlock("js"),
  python: codeBlock("python"),
  php: codeBlock("php"),
}

function codeBlock(language: CodeLanguage): string {
  const [, code] = page.split(`\`\`\`${language}\n`)
  if (code === undefined) throw new Error(`verify-a-webhook.md has no code in ${language}`)
  return code.slice(0, code.indexOf("\n```"))
}
