import { Argument, Command } from "commander";
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
  source <(tsop completion bash)                                  in ~/.bashrc
  source <(tsop completion zsh)                                   in ~/.zshrc, after compinit
  tsop completion fish > ~/.config/fish/completions/tsop.fish
  tsop completion powershell | Out-String | Invoke-Expression     in $PROFILE`,
    )
    .action(async (shell: (typeof shells)[number]) => {
      const { completionScripts } = await import("../completion/completion-scripts.ts");
      io.stdout.write(completionScripts[shell]);
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
