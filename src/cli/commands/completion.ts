import { Argument, Command } from "commander";
import { packageFile } from "../../apimachinery/package-file.ts";
import type { Io } from "../io.ts";

const shells = ["bash", "zsh", "fish", "powershell"] as const;

/** `tsop completion <shell>` */
export function completionCommand(io: Io): Command {
  return new Command("completion")
    .description("print a script that completes tsop's commands and flags in your shell")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addHelpText(
      "after",
      `
Examples:
  npx tsop completion bash > ~/.tsop-completion       and in ~/.bashrc: source ~/.tsop-completion
  npx tsop completion zsh > ~/.tsop-completion        and in ~/.zshrc, after compinit: source ~/.tsop-completion
  npx tsop completion fish > ~/.config/fish/conf.d/tsop.fish
  tsop completion powershell | Out-String | Invoke-Expression     in $PROFILE

In bash, zsh and fish, the script completes tsop, and tsop after npx, pnpm exec and yarn. It asks the tsop that printed it, and
no other one: print it again when that moves. bash and zsh keep a completion of npx, pnpm or yarn that is already defined. In
PowerShell, only tsop on the PATH is completed.`,
    )
    .action(async (shell: (typeof shells)[number]) => {
      const { completionScripts } = await import("../completion/completion-scripts.ts");
      io.stdout.write(completionScripts[shell](packageFile("bin/tsop.js")));
    });
}

/** The hidden command that the scripts call. Prints one candidate a line, with a tab before its description. */
export function completeCommand(io: Io): Command {
  return new Command("__complete")
    .argument("[words...]")
    .helpOption(false)
    .action(async (words: string[], _flags: unknown, command: Command) => {
      const { complete } = await import("../completion/complete.ts");
      for (const { word, description } of complete(command.parent!, words)) {
        io.stdout.write(description ? `${word}\t${description}\n` : `${word}\n`);
      }
    });
}
