import { Command, Option } from "commander";
import { applyAndReport, writing, type WriteFlags } from "../steps/apply-plan.ts";
import { collectList } from "../flags/collect-list.ts";
import { changeFolder } from "../steps/change-folder.ts";
import { refuseGoFlags } from "../flags/go-words.ts";
import type { Io } from "../io.ts";
import { askKind } from "../steps/ask-kind.ts";
import { checkAnyKind } from "../../project/value-rules.ts";
import { parseBoolean } from "../flags/parse-boolean.ts";
import { warnOfMissingImport } from "../steps/warn-of-missing-import.ts";

interface CreateWebhookFlags extends WriteFlags {
  readonly group: string;
  readonly version: string;
  readonly kind?: string;
  readonly plural?: string;
  readonly defaulting: boolean;
  readonly programmaticValidation: boolean;
  readonly conversion: boolean;
  readonly spoke: readonly string[];
  readonly defaultingPath?: string;
  readonly validationPath?: string;
  readonly externalApiPath?: string;
  readonly externalApiDomain?: string;
  readonly externalApiModule?: string;
  readonly cert?: "cert-manager" | "self-signed";
  readonly plugins?: readonly string[];
  readonly make: boolean;
}

/** `tsop create webhook` */
export function createWebhookCommand(io: Io): Command {
  const command = new Command("webhook")
    .description("add webhooks to a kind: defaults, validation, conversion between versions")
    .option("--group <group>", "API group, without the project's domain", "")
    .option("--version <version>", "API version", "v1alpha1")
    .option("--kind <Kind>", "name of the kind (default: ask on a terminal)")
    .option("--plural <plural>", "plural of the kind (default: the regular plural)")
    .option("--defaulting", "add a webhook that sets defaults", false)
    .option("--programmatic-validation", "add a webhook that validates objects", false)
    .option("--conversion", "convert between the kind's other versions and this one, the hub", false)
    .addOption(
      new Option("--spoke <versions>", "versions to convert, separated by commas")
        .argParser(collectList)
        .default([], "all others"),
    )
    .option("--defaulting-path <path>", "URL path of the defaulting webhook")
    .option("--validation-path <path>", "URL path of the validating webhook")
    .option("--external-api-path <path>", "package or ./file that exports a foreign type's Kind")
    .option("--external-api-domain <domain>", "domain of a foreign type's group")
    .option("--external-api-module <package>", "npm package[@version] of a foreign type")
    .addOption(
      new Option(
        "--cert <source>",
        "issuer of the certificate: cert-manager (default), or the operator itself",
      ).choices(["cert-manager", "self-signed"]),
    )
    .addOption(new Option("--plugins <keys>").argParser(collectList).hideHelp())
    .option("--force", "overwrite existing files")
    .option("--make [bool]", "generate code and manifests afterwards", parseBoolean, true)
    .addHelpText(
      "after",
      `
Examples:
  tsop create webhook --group cache --kind Memcached --defaulting --programmatic-validation
  tsop create webhook --group cache --version v1 --kind Memcached --conversion --spoke v1alpha1
  tsop create webhook --group cache --kind Memcached --defaulting --cert self-signed
  tsop create webhook --group core --version v1 --kind Pod --programmatic-validation`,
    )
    .action(async (flags: CreateWebhookFlags) => {
      const [{ findProjectRoot }, { loadChangeableProject }, { planWebhook }, { parsePlugins }] = await Promise.all([
        import("../../project/find-project-root.ts"),
        import("../steps/load-changeable-project.ts"),
        import("../../project/scaffold/webhook/plan-webhook.ts"),
        import("../flags/go-words.ts"),
      ]);
      parsePlugins(flags.plugins);
      const root = await findProjectRoot(io.cwd, io.disk);
      const kind = await askKind(io, flags.kind, checkAnyKind);
      const options = { ...flags, kind, validation: flags.programmaticValidation, force: flags.force ?? false };
      const applied = await changeFolder(io, { root, command: "tsop create webhook", flags }, async () => {
        const plan = await planWebhook(await loadChangeableProject(io), options, io.disk);
        const whole = flags.make ? await (await import("../steps/generate-after.ts")).generateAfter(io, plan) : plan;
        return applyAndReport(io, whole, flags);
      });
      await warnOfMissingImport(io, root, options);
      if (!applied) return;
      io.stderr.write("\nNext: edit the files under webhooks/, then\n  make manifests test\n");
    });
  return refuseGoFlags(writing(command), {
    legacy: "omit it: webhooks are always in their own folder",
    "webhook-version": "omit it: webhooks always use admissionregistration.k8s.io/v1",
  });
}
