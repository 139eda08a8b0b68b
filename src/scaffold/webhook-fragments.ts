import type { Fragment } from "./api-fragments.ts";
import { upperCamel } from "./api-context.ts";
import { webhooksFile, type SetUpEntry } from "./set-up-entries.ts";
import type { WebhookType } from "./webhook-options.ts";
import { conversionFile, type WebhookContext } from "./webhook-context.ts";

const defaults = "config/default/kustomization.yaml";

/** What every project with webhooks has in its kustomizations. */
export function sharedFragments(types: readonly WebhookType[]): Fragment[] {
  const hasManifests = types.some((type) => type !== "conversion");
  return [
    { path: defaults, point: "defaultresources", text: "- ../webhook" },
    { path: defaults, point: "defaultresources", text: "- ../certmanager" },
    {
      path: defaults,
      point: "defaultpatches",
      text: "- path: manager_webhook_patch.yaml\n  target:\n    kind: Deployment",
    },
    { path: defaults, point: "defaultreplacements", text: "- path: webhook_cert_replacements.yaml" },
    { path: defaults, point: "defaultreplacements", text: "- path: metrics_cert_replacements.yaml" },
    {
      path: "config/network-policy/kustomization.yaml",
      point: "networkpolicies",
      text: "- allow-webhook-traffic.yaml",
    },
    ...(hasManifests ? [manifestsFragment] : []),
  ];
}

/** What `make manifests` writes from the markers of defaulting and validating webhooks. */
export const manifestsFragment: Fragment = {
  path: "config/webhook/kustomization.yaml",
  point: "webhookresources",
  text: "- manifests.yaml",
};

const caFiles = { defaulting: "mutating", validation: "validating", conversion: "crd" } as const;

/** Where cert-manager puts its authority. */
export function caFragments(types: readonly WebhookType[]): Fragment[] {
  return types.map((type) => ({
    path: defaults,
    point: "defaultreplacements",
    text: `- path: ${caFiles[type]}_ca_replacements.yaml`,
  }));
}

/** What a CRD with a conversion webhook adds. */
export function crdFragments({ apiGroup, crdPatch, plural }: WebhookContext): Fragment[] {
  const path = "config/default/crd_ca_replacements.yaml";
  const target = (index: number): string => `- select:
    kind: CustomResourceDefinition
    name: ${plural}.${apiGroup}
  fieldPaths:
  - metadata.annotations.[cert-manager.io/inject-ca-from]
  options:
    delimiter: /
    index: ${index}
    create: true`;
  return [
    {
      path: "config/crd/kustomization.yaml",
      point: "crdkustomizewebhookpatch",
      text: `- path: patches/${crdPatch}.yaml`,
    },
    { path, point: "crdkustomizecainjectionns", text: target(0) },
    { path, point: "crdkustomizecainjectionname", text: target(1) },
  ];
}

/** What main.ts sets up. */
export const webhooksEntry: SetUpEntry = {
  name: "setupWebhooks",
  module: webhooksFile.path,
  prefix: "project",
  setup: (local) => `if (process.env.ENABLE_WEBHOOKS !== "false") ${local}(mgr);`,
};

/** What webhooks/setup.ts sets up. */
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
