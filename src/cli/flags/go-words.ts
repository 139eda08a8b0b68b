import { Option, type Command } from "commander";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Workflow } from "../../project/scaffold/edit/plan-workflows.ts";

/** Plugin keys that tsop understands. */
const known = /^(typescript(\.tsop\.dev)?\/v1|deploy-image(\.[a-z.]+)?\/v1-alpha)$/;

/** Plugin keys of Go projects, whose features are built in. */
const builtIn = /^(base\.)?(go|kustomize)([./]|$)/;

/**
 * Plugin keys that add to a project: those of kubebuilder, and tsop's own. `helm` alone is also operator-sdk's for projects
 * without code.
 */
const ofEdit =
  /^(helm(?:\.kubebuilder\.io)?\/v2-alpha|(grafana|autoupdate)(?:\.kubebuilder\.io)?(?:\/v1-alpha)?|(sharding|autoupdate|pull-request|release|test-chart)(?:\.tsop\.dev\/v1)?)$/;

/** Plugin keys of operator-sdk for projects without code. */
const withoutCode = /^(ansible|helm)(\.sdk\.operatorframework\.io)?(\/v1)?$/;

/** Returns the plugin keys that tsop understands; rejects those of the Go tools with the command to use instead. */
export function parsePlugins(keys: readonly string[] = []): readonly string[] {
  const foreign = keys.find((key) => !known.test(key));
  if (foreign && ofEdit.test(foreign)) throw new TsopError("TSOP_PLUGIN_OF_EDIT", { key: foreign });
  if (foreign && withoutCode.test(foreign)) throw new TsopError("TSOP_PLUGIN_FOREIGN", { key: foreign });
  if (foreign && !builtIn.test(foreign)) throw new TsopError("TSOP_PLUGIN_UNKNOWN", { key: foreign });
  if (foreign) {
    const instead = "omit --plugins: tsop creates TypeScript projects, and the features of the Go plugins are built in";
    throw new TsopError("TSOP_GO_ONLY", { what: `--plugins=${foreign}`, instead });
  }
  return keys;
}

/** An addition to a project. */
export type Addition = "helm" | "grafana" | "sharding" | Workflow;

/** Returns the additions that the plugin keys of `tsop edit` name; rejects other keys. */
export function parseAdditions(keys: readonly string[] = []): Addition[] {
  const isAddition = (key: string): boolean => key === "helm" || ofEdit.test(key);
  parsePlugins(keys.filter((key) => !isAddition(key)));
  return keys.filter(isAddition).map((key) => /^[a-z-]+/.exec(key)![0] as Addition);
}

/** Adds the flags of the Go tools to a command, hidden; each is rejected with the command to use instead. */
export function refuseGoFlags(command: Command, flags: Readonly<Record<string, string>>): Command {
  for (const [name, instead] of Object.entries(flags)) {
    command.addOption(new Option(`--${name} [value]`).hideHelp());
    command.on(`option:${name}`, () => {
      throw new TsopError("TSOP_GO_ONLY", { what: `--${name}`, instead });
    });
  }
  return command;
}
