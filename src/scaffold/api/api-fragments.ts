import { upperCamel, type ApiContext } from "./api-context.ts";
import type { DeployImage } from "./api-options.ts";
import { imageVariable } from "./deploy-image.ts";
import type { Draft } from "../draft/draft.ts";
import type { SetUpEntry } from "../draft/set-up-entries.ts";
import { insertAtPoint, removeFragment } from "../draft/scaffold-points.ts";

/** Lines that a command puts into a file at a scaffold point; deleting takes the same lines out. */
export interface Fragment {
  readonly path: string;
  readonly point: string;
  readonly text: string;
}

/** What a kind adds to the kustomizations. */
export function resourceFragments(context: ApiContext): Fragment[] {
  const roles = ["admin", "editor", "viewer"].map((who) => `- ${context.roleFile}_${who}_role.yaml`);
  return [
    {
      path: "config/crd/kustomization.yaml",
      point: "crdkustomizeresource",
      text: `- bases/${context.apiGroup}_${context.plural}.yaml`,
    },
    { path: "config/samples/kustomization.yaml", point: "manifestskustomizesamples", text: `- ${context.sample}.yaml` },
    { path: "config/rbac/kustomization.yaml", point: "rbacroles", text: roles.join("\n") },
    { path: "config/default/kustomization.yaml", point: "defaultresources", text: "- ../crd" },
    { path: "config/manifests/kustomization.yaml", point: "manifestsresources", text: "- ../samples" },
  ];
}

/** What main.ts sets up for a controller. */
export function controllerEntry(context: ApiContext, deployImage?: DeployImage): SetUpEntry {
  const { reconciler, controllerFolder, controllerFile, controllerName, group } = context;
  const base = {
    name: reconciler,
    module: `${controllerFolder}/${controllerFile}_controller.ts`,
    prefix: upperCamel(group.replaceAll(".", "-")),
  };
  if (!deployImage) return { ...base, setup: (local) => `await new ${local}(mgr.client).setupWithManager(mgr);` };
  const setup = (local: string): string => `await new ${local}({
  client: mgr.client,
  events: mgr.eventRecorder("${controllerName}-controller"),
  image: process.env.${imageVariable(context.kind)} ?? ${JSON.stringify(deployImage.image)},
}).setupWithManager(mgr);`;
  return { ...base, setup };
}

/** What the operator's environment needs to know of an image. */
export function imageFragments({ kind }: ApiContext, { image }: DeployImage): Fragment[] {
  const text = `- name: ${imageVariable(kind)}\n  value: ${JSON.stringify(image)}`;
  return [{ path: "config/manager/manager.yaml", point: "managerenv", text }];
}

/** Inserts all fragments, each where its scaffold point stands. */
export async function insertFragments(draft: Draft, fragments: readonly Fragment[]): Promise<void> {
  for (const { path, point, text } of fragments) {
    await draft.change(path, (before) => insertAtPoint(before, { path, name: point }, text));
  }
}

/** Takes fragments out again, where they still are as they were written. */
export async function removeFragments(draft: Draft, fragments: readonly Fragment[]): Promise<void> {
  for (const { path, text } of fragments) {
    if ((await draft.read(path)) !== undefined) await draft.change(path, (before) => removeFragment(before, text));
  }
}
