import { Command } from "commander";
import { changeAndReport, writing, type WriteFlags } from "../steps/apply-plan.ts";
import { webhookFlags, type WebhookFlags } from "../../project/scaffold/webhook/webhook-flags.ts";
import { addFlags } from "../flags/add-flags.ts";
import { parsePlugins, refuseGoFlags } from "../flags/go-words.ts";
import type { Io } from "../io.ts";
import { askKind } from "../steps/ask-kind.ts";
import { checkAnyKind } from "../../project/value-rules.ts";
import { warnOfMissingImport } from "../steps/warn-of-missing-import.ts";

/** `tsop create webhook` */
export function createWebhookCommand(io: Io): Command {
  const command = addFlags(new Command("webhook"), webhookFlags)
    .description("add webhooks to a kind: defaults, validation, conversion between versions")
    .addHelpText(
      "after",
      `
Examples:
  tsop create webhook --group cache --kind Memcached --defaulting --programmatic-validation
  tsop create webhook --group cache --version v1 --kind Memcached --conversion --spoke v1alpha1
  tsop create webhook --group cache --kind Memcached --defaulting --cert self-signed
  tsop create webhook --group core --version v1 --kind Pod --programmatic-validation`,
    )
    .action(async (flags: WebhookFlags & WriteFlags) => {
      const { findProjectRoot } = await import("../../project/load-project.ts");
      const { planChange } = await import("../steps/load-changeable-project.ts");
      const { planWebhook } = await import("../../project/scaffold/webhook/plan-webhook.ts");
      parsePlugins(flags.plugins);
      const root = await findProjectRoot(io.cwd, io.disk);
      const kind = await askKind(io, flags.kind, checkAnyKind);
      const options = { ...flags, group: flags.group ?? "", kind };
      const applied = await changeAndReport(io, { root, command: "tsop create webhook", flags }, () =>
        planChange(io, flags, (loaded) => planWebhook(loaded, options, io.disk)),
      );
      await warnOfMissingImport(io, root, options);
      if (!applied) return;
      io.stderr.write("\nNext: edit the files under webhooks/, then\n  make manifests test\n");
    });
  return refuseGoFlags(writing(command), {
    legacy: "omit it: webhooks are always in their own folder",
    "webhook-version": "omit it: webhooks always use admissionregistration.k8s.io/v1",
  });
}
