import { Command } from "commander";
import { changeAndReport, writing, type WriteFlags } from "../steps/apply-plan.ts";
import { apiFlags, type ApiFlags } from "../../project/scaffold/api/api-flags.ts";
import { addFlags } from "../flags/add-flags.ts";
import { refuseGoFlags } from "../flags/go-words.ts";
import type { Io } from "../io.ts";
import { warnOfMissingImport } from "../steps/warn-of-missing-import.ts";

/** `tsop create api` */
export function createApiCommand(io: Io): Command {
  const command = addFlags(new Command("api"), apiFlags)
    .description("add a kind: its types, controller, test, sample and roles")
    .addHelpText(
      "after",
      `
Examples:
  tsop create api --group cache --kind Memcached
  tsop create api --group cache --version v1 --kind Memcached --controller=false
  tsop create api --group cache --kind Memcached --ssa
  tsop create api --group ship --kind Frigate --namespaced=false --plural fleets
  tsop create api --group apps --version v1 --kind Deployment --resource=false
  tsop create api --from-crd https://example.com/cert-manager.crds.yaml
  tsop create api --group cache --kind Memcached --image memcached:1.6-alpine --image-container-port 11211`,
    )
    .action(async (flags: ApiFlags & WriteFlags) => {
      if (flags.fromCrd !== undefined || flags.fromCluster !== undefined)
        return (await import("../steps/external-types.ts")).createExternalApi(io, flags);
      const { loadChangeableProject, planChange } = await import("../steps/load-changeable-project.ts");
      const { planApi } = await import("../../project/scaffold/api/plan-api.ts");
      const { completeApiOptions } = await import("../steps/ask-api-options.ts");
      const { root, project } = await loadChangeableProject(io);
      // No other command waits for an answer.
      const { options, answers } = await completeApiOptions(io, project, flags);
      const applied = await changeAndReport(io, { root, command: "tsop create api", flags }, () =>
        planChange(io, flags, (loaded) => planApi(loaded, options, io.disk)),
      );
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
    "crd-version": "omit it: CRDs always use apiextensions.k8s.io/v1",
  });
}
