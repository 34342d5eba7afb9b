import { UsageError } from "../base/errors.ts"
import { defineCommand } from "./kit/command.ts"
import { completions, type Shell } from "./kit/completion.ts"

const shells = Object.keys(completions) as Shell[]

export const completion = defineCommand({
  about: "prints a script that makes a shell complete commands and options",
  details:
    'For bash: eval "$(guichet completion bash)" in ~/.bashrc; for zsh: the same in ~/.zshrc, after compinit; for fish: guichet completion fish > ~/.config/fish/completions/guichet.fish. The package installs all three.',
  args: { shell: `shell of yours: ${shells.join(", ")}` },
  async run({ args, commands }) {
    const shell = shells.find((each) => each === args.shell)
    if (!shell) throw new UsageError(`the shell is one of ${shells.join(", ")}, not ${args.shell}`)
    return { text: completions[shell](commands).trimEnd() }
  },
})
