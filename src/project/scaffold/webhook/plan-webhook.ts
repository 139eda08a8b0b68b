import { dirname } from "node:path/posix";
import type { Disk } from "../../../files/disk.ts";
import type { Plan } from "../../../files/plan.ts";
import type { LoadedProject } from "../../load-project.ts";
import { findResource, versionsOf, withResource, type Project, type Resource, type Webhooks } from "../../project.ts";
import { relativeImport } from "../draft/relative-import.ts";
import { insertFragments } from "../api/api-fragments.ts";
import { checkResourceOptions } from "../api/resource-options.ts";
import {
  builtinSample,
  conversionFile,
  spokeContext,
  spokeFile,
  webhookContext,
  type SpokeContext,
  type WebhookContext,
} from "./webhook-context.ts";
import { Draft, addDependency } from "../draft/draft.ts";
import type { RenderedFile } from "../templates/render-templates.ts";
import { resolveResource } from "../api/resolve-resource.ts";
import { insertAtPoint } from "../draft/scaffold-points.ts";
import { addSetUp, mainFile, webhooksFile } from "../draft/set-up-entries.ts";
import { moveStorageVersion } from "../api/storage-version.ts";
import { caFragments, certificateParts, chooseCertificates, crdCaFragments } from "./webhook-certificates.ts";
import { crdFragment, sharedFragments, webhookEntries, webhooksEntry } from "./webhook-fragments.ts";
import { parseWebhooks, webhookTypes, type WebhookOptions, type WebhookType } from "./webhook-options.ts";

/** Plans webhooks for a kind: one file for each type, so that each can be added or removed alone. */
export async function planWebhook(loaded: LoadedProject, options: WebhookOptions, disk: Disk): Promise<Plan> {
  const { project, root, text } = loaded;
  checkResourceOptions(options);
  const resolved = resolveResource(project, options);
  const resource: Resource = { ...resolved, webhooks: parseWebhooks(project, resolved, options) };
  const draft = new Draft(root, disk);
  const header = await draft.header();
  const context = webhookContext(project, resource, header);

  const types = typesOf(options);
  const source = await chooseCertificates(draft, options.cert);
  await draft.createMissing(await draft.render("create-webhook", certificateParts(source, types), context));
  const isHub = resolved.webhooks?.conversion === true;
  const ownTypes = isHub ? types.filter((type) => type !== "conversion") : types;
  draft.createAll(await webhookFiles(draft, ownTypes, { context, resource }));
  await insertFragments(draft, [...sharedFragments(types, source), ...caFragments(source, types)]);
  await addSetUp(draft, mainFile, webhooksEntry);
  for (const entry of webhookEntries(context, types)) await addSetUp(draft, webhooksFile, entry);
  if (options.conversion) {
    await createSpokes(draft, project, { hub: resource, before: resolved.webhooks, header });
    await insertFragments(draft, [crdFragment(context), ...crdCaFragments(source, context)]);
  }
  await addDependency(draft, options.externalApiModule);
  return draft.planWith(withResource(project, resource), text);
}

/** Lists the files of a kind's own webhooks: code, tests and patches. All webhooks share the rest of the tree. */
export async function webhookFiles(
  draft: Draft,
  types: readonly WebhookType[],
  { context, resource }: { readonly context: WebhookContext; readonly resource: Resource },
): Promise<RenderedFile[]> {
  // A test cannot create a built-in kind without a known sample: the webhook is tested without a server.
  const test = resource.core && builtinSample(resource) === undefined ? "unit-test" : "test";
  const parts = types.flatMap((type) => (type === "conversion" ? [type] : [type, `${type}-${test}`]));
  const rendered = await draft.render("create-webhook", parts, context);
  return rendered.filter(({ path }) => isOwnFile(path));
}

/** Reports whether a file is in the folder of a version or is a patch of a CRD. */
function isOwnFile(path: string): boolean {
  return /^(webhooks\/.+\/|config\/crd\/patches\/)/.test(path);
}

/** Adds the spokes to the text of a hub's converter. */
export function converterText(text: string, project: Project, hub: Resource): string {
  const spokes = (hub.webhooks?.spoke ?? []).flatMap((version) => findResource(project, { ...hub, version }) ?? []);
  return spokes.reduce(
    (before, spoke) =>
      insertSpoke(before, conversionFile(webhookContext(project, hub, "")), spokeContext(project, hub, spoke, "")),
    text,
  );
}

function insertSpoke(text: string, converter: string, spoke: SpokeContext): string {
  const imports = `import { ${spoke.spokeName} } from "${relativeImport(dirname(converter), spokeFile(spoke))}";`;
  const imported = insertAtPoint(text, { path: converter, name: "imports" }, imports);
  return insertAtPoint(imported, { path: converter, name: "spokes" }, `${spoke.spokeName},`);
}

function typesOf({ defaulting, programmaticValidation: validation, conversion }: WebhookOptions): WebhookType[] {
  const chosen = { defaulting, validation, conversion };
  return webhookTypes.filter((type) => chosen[type]);
}

/** Marks the hub's kind as stored and creates each new spoke: its file and its entry in the converter. */
async function createSpokes(
  draft: Draft,
  project: Project,
  { hub, before, header }: { readonly hub: Resource; readonly before: Webhooks | undefined; readonly header: string },
): Promise<void> {
  const converter = conversionFile(webhookContext(project, hub, header));
  for (const version of (hub.webhooks?.spoke ?? []).filter((each) => !before?.spoke?.includes(each))) {
    const resource = findResource(project, { ...hub, version })!;
    const context = spokeContext(project, hub, resource, header);
    const files = await draft.render("create-webhook", ["spoke"], context);
    draft.createAll(files.filter(({ path }) => isOwnFile(path)));
    await draft.change(converter, (text) => insertSpoke(text, converter, context));
  }
  await moveStorageVersion(draft, project, versionsOf(project, hub), hub.version);
}
