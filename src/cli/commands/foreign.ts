import { Command } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";

const publish =
  "tsop run bundle FOLDER; or tsop bundle build --push IMAGE, then tsop bundle catalog, and a CatalogSource with the image of the catalog";

/** Commands of operator-sdk and kubebuilder that tsop lacks, with their replacements. */
const foreignCommands: Readonly<Record<string, string>> = {
  "alpha update": "tsop update brings a project to the templates of the running tsop",
  "alpha config-gen": "kustomize builds config/: make build-installer",
  "run packagemanifests": publish,
};

/** Returns a hidden command that names the replacement, if the words name a command of the Go tools. */
export function foreignCommand([first = "", second = ""]: readonly string[]): Command | undefined {
  const name = [`${first} ${second}`, first].find((words) => Object.hasOwn(foreignCommands, words));
  if (name === undefined) return undefined;
  return new Command(first)
    .argument("[words...]")
    .allowUnknownOption()
    .action(() => {
      throw new TsopError("TSOP_COMMAND_ABSENT", { name, instead: foreignCommands[name]! });
    });
}
