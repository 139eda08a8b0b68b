import type { Fragment } from "../api/api-fragments.ts";
import { upperCamel } from "../api/api-context.ts";
import { webhooksFile, type SetUpEntry } from "../draft/set-up-entries.ts";
import { certificateFragments } from "./webhook-certificates.ts";
import { conversionFile, type WebhookContext } from "./webhook-context.ts";
import type { CertificateSource } from "./webhook-flags.ts";
import type { WebhookType } from "./webhook-options.ts";

const defaults = "config/default/kustomization.yaml";

/** The fragments in the kustomizations of every project with webhooks. */
export function sharedFragments(types: readonly WebhookType[], source: CertificateSource): Fragment[] {
  const hasManifests = types.some((type) => type !== "conversion");
  return [
    { path: defaults, point: "defaultresources", text: "- ../webhook" },
    ...certificateFragments(source),
    {
      path: defaults,
      point: "defaultpatches",
      text: "- path: manager_webhook_patch.yaml\n  target:\n    kind: Deployment",
    },
    {
      path: "config/network-policy/kustomization.yaml",
      point: "networkpolicies",
      text: "- allow-webhook-traffic.yaml",
    },
    ...(hasManifests ? [manifestsFragment] : []),
  ];
}

/** The output of `make manifests` for the markers of defaulting and validating webhooks. */
export const manifestsFragment: Fragment = {
  path: "config/webhook/kustomization.yaml",
  point: "webhookresources",
  text: "- manifests.yaml",
};

/** The fragment of a CRD with a conversion webhook. */
export function crdFragment({ crdPatch }: WebhookContext): Fragment {
  const path = "config/crd/kustomization.yaml";
  return { path, point: "crdkustomizewebhookpatch", text: `- path: patches/${crdPatch}.yaml` };
}

/** The entry of the webhooks in main.ts. */
export const webhooksEntry: SetUpEntry = {
  name: "setupWebhooks",
  module: webhooksFile.path,
  prefix: "project",
  setup: (local) => `if (process.env.ENABLE_WEBHOOKS !== "false") ${local}(mgr);`,
};

/** The entries of a kind's webhooks in webhooks/setup.ts. */
export function webhookEntries(context: WebhookContext, types: readonly WebhookType[]): SetUpEntry[] {
  const { group, kind, lowerKind, version, webhookFolder } = context;
  const prefix = upperCamel(group.replaceAll(".", "-")) + upperCamel(version);
  const viaClass = (local: string): string => `new ${local}().setupWithManager(mgr);`;
  const module = (what: string): string => `${webhookFolder}/${lowerKind}_${what}.ts`;
  const entries: Record<WebhookType, SetUpEntry> = {
    defaulting: { name: `${kind}Defaulter`, module: module("defaulter"), prefix, setup: viaClass },
    validation: { name: `${kind}Validator`, module: module("validator"), prefix, setup: viaClass },
    conversion: {
      name: `setup${kind}Conversion`,
      module: conversionFile(context),
      prefix: prefix.charAt(0).toLowerCase() + prefix.slice(1),
      setup: (local) => `${local}(mgr);`,
    },
  };
  return types.map((type) => entries[type]);
}
