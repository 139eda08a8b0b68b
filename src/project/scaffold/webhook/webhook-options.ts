import { TsopError } from "../../../errors/tsop-error.ts";
import { versionsOf, type Project, type Resource, type Webhooks } from "../../project.ts";
import { checkWebhookPath } from "../../value-rules.ts";
import type { ResourceOptions } from "../api/resource-options.ts";
import type { WebhookFlags } from "./webhook-flags.ts";

/** The flags of `tsop create webhook`, completed. */
export type WebhookOptions = WebhookFlags & ResourceOptions;

export const webhookTypes = ["defaulting", "validation", "conversion"] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** Checks the options against the project; returns the webhooks that PROJECT will record for the kind. */
export function parseWebhooks(project: Project, resource: Resource, options: WebhookOptions): Webhooks {
  const { defaulting, programmaticValidation: validation, conversion, defaultingPath, validationPath } = options;
  if (!defaulting && !validation && !conversion) throw new TsopError("TSOP_WEBHOOK_TYPE_MISSING", {});
  checkPath("--defaulting", defaulting, defaultingPath);
  checkPath("--programmatic-validation", validation, validationPath);
  const before = resource.webhooks ?? {};
  const spoke = conversion ? parseSpokes(project, resource, options) : [];
  if (!options.force) {
    refuseExisting(resource, "--defaulting", defaulting && before.defaulting);
    refuseExisting(resource, "--programmatic-validation", validation && before.validation);
    refuseExisting(resource, "--conversion", conversion && spoke.every((version) => before.spoke?.includes(version)));
  }
  const spokes = [...new Set([...(before.spoke ?? []), ...spoke])];
  return {
    ...before,
    ...(conversion ? { conversion, spoke: spokes } : {}),
    ...(defaulting ? { defaulting } : {}),
    ...(defaultingPath === undefined ? {} : { defaultingPath }),
    ...(validation ? { validation } : {}),
    ...(validationPath === undefined ? {} : { validationPath }),
    webhookVersion: "v1",
  };
}

function checkPath(flag: string, isChosen: boolean | undefined, path: string | undefined): void {
  if (path === undefined) return;
  if (!isChosen) throw new TsopError("TSOP_WEBHOOK_PATH", { path, reason: `it needs ${flag}` });
  const reason = checkWebhookPath(path);
  if (reason) throw new TsopError("TSOP_WEBHOOK_PATH", { path, reason });
}

function refuseExisting(resource: Resource, flag: string, exists: boolean | undefined): void {
  if (!exists) return;
  const { kind, version } = resource;
  throw new TsopError("TSOP_WEBHOOK_EXISTS", { kind, version, flag });
}

function parseSpokes(project: Project, resource: Resource, { spoke }: WebhookOptions): string[] {
  const { kind, version } = resource;
  if (!resource.api) throw new TsopError("TSOP_CONVERSION_FOREIGN", { kind });
  const versions = versionsOf(project, resource).filter(({ api }) => api);
  const others = versions.map((other) => other.version).filter((other) => other !== version);
  if (others.length === 0) throw new TsopError("TSOP_CONVERSION_ALONE", { kind, version, group: resource.group ?? "" });
  const hub = versions.find((other) => other.webhooks?.conversion && other.version !== version);
  if (hub) throw new TsopError("TSOP_CONVERSION_HUB", { kind, hub: hub.version, version });
  const unknown = spoke.find((wanted) => !others.includes(wanted));
  if (unknown !== undefined)
    throw new TsopError("TSOP_SPOKE_UNKNOWN", { kind, version: unknown, others: others.join(", ") });
  return spoke.length > 0 ? [...new Set(spoke)] : others;
}
