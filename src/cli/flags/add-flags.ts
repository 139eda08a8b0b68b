import { Option, type Command } from "commander";
import type { ScaffoldFlags } from "../../project/scaffold/scaffold-flag.ts";
import { collectList, parseBoolean } from "./parse-values.ts";

/** Adds the flags of a command that scaffolds. */
export function addFlags(command: Command, flags: ScaffoldFlags): Command {
  for (const { flag, help, type, choices, byDefault, defaultHelp } of Object.values(flags)) {
    const option = new Option(flag, help).hideHelp(help === undefined).default(byDefault, defaultHelp);
    if (type === "list") option.argParser(collectList);
    else if (type === "number") option.argParser(Number);
    else if (flag.endsWith(" [bool]")) option.argParser(parseBoolean);
    else if (choices) option.choices(choices);
    command.addOption(option);
  }
  return command;
}
