import { Option, type Command } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";

/** Plugin keys that have a meaning here, too. */
const known = /^(typescript(\.tsop\.dev)?\/v1|deploy-image(\.[a-z.]+)?\/v1-alpha)$/;

/** Tells followers of a tutorial for Go what to type instead; returns the keys that mean something here. */
export function parsePlugins(plugins: string | undefined): string[] {
  const keys = (plugins ?? "").split(",").filter(Boolean);
  const foreign = keys.find((key) => !known.test(key));
  if (foreign) {
    const instead = "leave --plugins out: tsop makes TypeScript projects, and what the Go plugins add is built in";
    throw new TsopError("TSOP_GO_ONLY", { what: `--plugins=${foreign}`, instead });
  }
  return keys;
}

/** Gives a command the flags that tutorials for Go mention, hidden; each ends in what to do instead. */
export function refuseGoFlags(command: Command, flags: Readonly<Record<string, string>>): Command {
  for (const [name, instead] of Object.entries(flags)) {
    command.addOption(new Option(`--${name} [value]`).hideHelp());
    command.on(`option:${name}`, () => {
      throw new TsopError("TSOP_GO_ONLY", { what: `--${name}`, instead });
    });
  }
  return command;
}
