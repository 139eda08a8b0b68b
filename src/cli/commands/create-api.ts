import { Command, Option } from "commander";
import { applyAndReport, writing } from "../steps/apply-plan.ts";
import { changeFolder } from "../steps/change-folder.ts";
import type { CreateApiFlags } from "../steps/ask-api-options.ts";
import type { SourceFlags } from "../steps/external-types.ts";
import { refuseGoFlags } from "../flags/go-words.ts";
import type { Io } from "../io.ts";
import { collectList } from "../flags/collect-list.ts";
import { parseBoolean } from "../flags/parse-boolean.ts";
import { warnOfMissingImport } from "../steps/warn-of-missing-import.ts";

/** `tsop create api` */
export function createApiCommand(io: Io): Command {
  const command = new Command("api")
    .description("add a kind: its types, controller, test, sample and roles")
    .option("--group <group>", "API group, without the project's domain (default: ask on a terminal, else none)")
    .option("--version <version>", "API version", "v1alpha1")
    .option("--kind <Kind>", "name of the kind, in UpperCamelCase (default: ask on a terminal)")
    .option("--plural <plural>", "plural of the kind (default: the regular plural)")
    .option("--resource [bool]", "write the types (default: ask on a terminal, else yes)", parseBoolean)
    .option("--controller [bool]", "write the controller (default: ask on a terminal, else yes)", parseBoolean)
    .option("--controller-name <name>", "name of an additional controller for a kind that already has one")
    .option("--namespaced [bool]", "the kind is namespaced", parseBoolean, true)
    .option("--external-api-path <path>", "package or ./file that exports a foreign type's Kind")
    .option("--external-api-domain <domain>", "domain of a foreign type's group")
    .option("--external-api-module <package>", "npm package[@version] of a foreign type")
    .option("--from-crd <source>", "write the types of foreign kinds: a file, folder or URL with CRDs, or - for stdin")
    .option("--from-cluster <name>", "write the types of foreign kinds: the name of a CRD in the cluster, or a group")
    .option("--output <dir>", "folder of these types (default: api/external/<group>)")
    .option("--kubeconfig <file>", "use the cluster of this kubeconfig")
    .option("--context <name>", "use the cluster of this context")
    .option("--image <image>", "write a complete controller that runs this image")
    .option("--image-container-command <words>", "the container's command, its words separated by commas")
    .option("--image-container-port <port>", "the container's port", Number)
    .option("--run-as-user <uid>", "the container's user", Number)
    .addOption(new Option("--plugins <keys>").argParser(collectList).hideHelp())
    .option("--force", "overwrite existing files")
    .option("--make [bool]", "generate code and manifests afterwards", parseBoolean, true)
    .addHelpText(
      "after",
      `
Examples:
  tsop create api --group cache --kind Memcached
  tsop create api --group cache --version v1 --kind Memcached --controller=false
  tsop create api --group ship --kind Frigate --namespaced=false --plural fleets
  tsop create api --group apps --version v1 --kind Deployment --resource=false
  tsop create api --from-crd https://example.com/cert-manager.crds.yaml
  tsop create api --group cache --kind Memcached --image memcached:1.6-alpine --image-container-port 11211`,
    )
    .action(async (flags: CreateApiFlags & SourceFlags) => {
      if (flags.fromCrd !== undefined || flags.fromCluster !== undefined)
        return (await import("../steps/create-external-api.ts")).createExternalApi(io, flags);
      const [{ loadChangeableProject }, { planApi }, { completeApiOptions }] = await Promise.all([
        import("../steps/load-changeable-project.ts"),
        import("../../project/scaffold/api/plan-api.ts"),
        import("../steps/ask-api-options.ts"),
      ]);
      const { root, project } = await loadChangeableProject(io);
      // No other command waits for an answer.
      const { options, answers } = await completeApiOptions(io, project, flags);
      const applied = await changeFolder(io, { root, command: "tsop create api", flags }, async () => {
        const plan = await planApi(await loadChangeableProject(io), options, io.disk);
        const whole = flags.make ? await (await import("../steps/generate-after.ts")).generateAfter(io, plan) : plan;
        return applyAndReport(io, whole, flags);
      });
      await warnOfMissingImport(io, root, options);
      if (!applied) return;
      if (answers.length > 0) {
        const { group, version, kind } = options;
        const names = `--group ${group} --version ${version} --kind ${kind}`;
        io.stderr.write(`\nTo skip the questions, add: ${names} ${answers.join(" ")}\n`);
      }
      const written = [...(options.resource ? ["the types"] : []), ...(options.controller ? ["the controller"] : [])];
      if (written.length > 0)
        io.stderr.write(`\nNext: edit ${written.join(" and ")}, then\n  make manifests generate test\n`);
    });
  return refuseGoFlags(writing(command), {
    ssa: "omit it: client.apply(kind, object, { fieldOwner }) needs no generated code",
    "crd-version": "omit it: CRDs always use apiextensions.k8s.io/v1",
  });
}
