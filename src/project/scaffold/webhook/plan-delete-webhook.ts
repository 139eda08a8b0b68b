import { TsopError } from "../../../errors/tsop-error.ts";
import type { Disk } from "../../../files/disk.ts";
import type { Plan } from "../../../files/plan.ts";
import type { LoadedProject } from "../../load-project.ts";
import {
  findResource,
  withoutResource,
  withResource,
  type Project,
  type Resource,
  type Webhooks,
} from "../../project.ts";
import { removeFragments } from "../api/api-fragments.ts";
import { Draft, inOtherLayout, removeRendered } from "../draft/draft.ts";
import { requireResource, type DeleteOptions } from "../api/plan-delete-api.ts";
import { converterText, webhookFiles } from "./plan-webhook.ts";
import { mainFile, removeSetUp, webhooksFile } from "../draft/set-up-entries.ts";
import { conversionFile, spokeContext, webhookContext } from "./webhook-context.ts";
import { crdFragment, manifestsFragment, sharedFragments, webhookEntries, webhooksEntry } from "./webhook-fragments.ts";
import { caFragments, certificateParts, chooseCertificates, crdCaFragments } from "./webhook-certificates.ts";
import { webhookTypes, type WebhookType } from "./webhook-options.ts";

export interface DeleteWebhookOptions extends DeleteOptions {
  /** Empty for all types of the kind. */
  readonly types: readonly WebhookType[];
}

/** Plans the removal of the files and lines of `create webhook`. Files shared by all webhooks go with the last one. */
export async function planDeleteWebhook(
  loaded: LoadedProject,
  options: DeleteWebhookOptions,
  disk: Disk,
): Promise<Plan> {
  const { project, root, text } = loaded;
  const resource = requireResource(project, options);
  const types = typesToDelete(resource, options);
  const draft = new Draft(root, disk);
  const header = await draft.header();
  const context = webhookContext(project, resource, header);

  const own = await webhookFiles(draft, types, { context, resource });
  const files = own.map((file) =>
    file.path === conversionFile(context) ? { ...file, text: converterText(file.text, project, resource) } : file,
  );
  if (types.includes("conversion")) {
    for (const version of resource.webhooks?.spoke ?? []) {
      const spoke = findResource(project, { ...resource, version });
      if (!spoke) continue;
      const rendered = await draft.render("create-webhook", ["spoke"], spokeContext(project, resource, spoke, header));
      files.push(...rendered.filter(({ path }) => /^webhooks\/.+\//.test(path)));
    }
    await removeFragments(draft, [crdFragment(context), ...crdCaFragments("cert-manager", context)]);
  }
  const former = webhookContext(inOtherLayout(project), resource, header);
  const formerNames = [[`${context.webhookName}.kb.io`, `${former.webhookName}.kb.io`]] as const;
  await removeRendered(draft, files, { force: options.force, formerNames });
  for (const { module } of webhookEntries(context, types)) await removeSetUp(draft, webhooksFile, module);

  const left = withoutWebhooks(project, resource, types);
  await removeShared(draft, left);
  return draft.planWith(left, text);
}

function typesToDelete(resource: Resource, { types, kind, version }: DeleteWebhookOptions): WebhookType[] {
  const existing = webhookTypes.filter((type) => resource.webhooks?.[type]);
  const missing = types.find((type) => !existing.includes(type));
  if (missing !== undefined || existing.length === 0) {
    throw new TsopError("TSOP_WEBHOOK_UNKNOWN", { kind, version, existing: existing.join(", ") || "none" });
  }
  return types.length > 0 ? [...types] : existing;
}

/** Returns the project without these webhooks. A foreign kind without controller and webhooks is removed as well. */
function withoutWebhooks(project: Project, resource: Resource, types: readonly WebhookType[]): Project {
  const fields: Record<WebhookType, readonly (keyof Webhooks)[]> = {
    defaulting: ["defaulting", "defaultingPath"],
    validation: ["validation", "validationPath"],
    conversion: ["conversion", "spoke"],
  };
  const gone = new Set<string>(types.flatMap((type) => fields[type]));
  const webhooks = Object.fromEntries(
    Object.entries(resource.webhooks ?? {}).filter(([field]) => !gone.has(field)),
  ) as Webhooks;
  const { webhooks: _before, ...rest } = resource;
  if (webhookTypes.some((type) => webhooks[type])) return withResource(project, { ...rest, webhooks });
  const isForeign = resource.core === true || resource.external === true;
  const isUsed = resource.controller === true || resource.controllers !== undefined;
  return isForeign && !isUsed ? withoutResource(project, resource) : withResource(project, rest);
}

/** Removes files that only the removed webhooks needed. */
async function removeShared(draft: Draft, left: Project): Promise<void> {
  const unused = webhookTypes.filter((type) => !left.resources?.some(({ webhooks }) => webhooks?.[type]));
  const source = await chooseCertificates(draft);
  await removeFragments(draft, caFragments(source, unused));
  const isLast = unused.length === webhookTypes.length;
  const parts = certificateParts(source, unused);
  const rendered = await draft.render("create-webhook", parts, { projectName: left.projectName, header: "" });
  const files = rendered.filter(({ path }) => isLast || path.endsWith("_ca_replacements.yaml"));
  if (unused.includes("defaulting") && unused.includes("validation")) {
    await removeFragments(draft, [manifestsFragment]);
    await draft.remove("config/webhook/manifests.yaml");
  }
  if (isLast) {
    await removeFragments(draft, sharedFragments([], source));
    await removeSetUp(draft, mainFile, webhooksEntry.module);
  }
  await removeRendered(draft, files, { force: true });
}
