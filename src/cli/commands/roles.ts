import { Command, Option } from "commander";
import { collectPaths } from "../flags/parse-values.ts";
import type { Io } from "../io.ts";
import type { RolesFlags } from "../steps/report-roles.ts";

/** `tsop roles` */
export function rolesCommand(io: Io): Command {
  return new Command("roles")
    .description("compare the roles of the operator with the requests that checks, runs and tests have recorded")
    .option("--from <file>", "recorded requests (default: .tsop/roles/uses.jsonl); repeatable", collectPaths)
    .option("--apply <path>", "manifests with the roles of an operator in any language; repeatable", collectPaths)
    .option("--account <namespace/name>", "with --apply: the service account (default: the only Deployment has one)")
    .option("--fix", "change the markers in the sources, and print the changes as a diff")
    .addOption(new Option("-o, --output <format>", "output format").choices(["text", "json"]).default("text"))
    .addHelpText("after", examples)
    .action(async (flags: RolesFlags) => {
      const { reportRoles } = await import("../steps/report-roles.ts");
      await reportRoles(io, flags);
    });
}

const examples = `
Exits with 0 if the roles fit, with 2 if a verb is unused, missing or wider than needed, and with 1 if that can't be said.
tsop check, tsop run --local --rbac, and tests with TSOP_ROLES=FILE record requests.

Examples:
  tsop roles
  tsop roles --fix
  tsop roles --from .tsop/roles/uses.jsonl --from tests.jsonl --output json
  tsop roles --apply dist/install.yaml
`;
