import { upperCamel, type ApiContext } from "./api-context.ts";
import { imageVariable, type DeployImage } from "./deploy-image.ts";
import type { Draft } from "../draft/draft.ts";
import type { SetUpEntry } from "../draft/set-up-entries.ts";
import { insertAtPoint, removeFragment } from "../draft/scaffold-points.ts";

/** Lines that a command inserts into a file at a scaffold point. Deleting removes the same lines. */
export interface Fragment {
  readonly path: string;
  readonly point: string;
  readonly text: string;
}

/** The fragments of a kind in the kustomizations. */
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

/** The entry of a controller in main.ts. */
export function controllerEntry(context: ApiContext, deployImage?: DeployImage): SetUpEntry {
  const { reconciler, controllerFolder, controllerFile, controllerName, group } = context;
  const base = {
    name: reconciler,
    module: `${controllerFolder}/${controllerFile}_controller.ts`,
    prefix: upperCamel(group.replaceAll(".", "-")),
  };
  const needs = context.ssa ? "mgr.client, mgr.apiReader" : "mgr.client";
  if (!deployImage) return { ...base, setup: (local) => `await new ${local}(${needs}).setupWithManager(mgr);` };
  const setup = (local: string): string => `await new ${local}({
  client: mgr.client,
  events: mgr.eventRecorder("${controllerName}-controller"),
  image: process.env.${imageVariable(context.kind)} ?? ${JSON.stringify(deployImage.image)},
}).setupWithManager(mgr);`;
  return { ...base, setup };
}

/** The fragments that pass an image to the operator's environment. */
export function imageFragments({ kind }: ApiContext, { image }: DeployImage): Fragment[] {
  const text = `- name: ${imageVariable(kind)}\n  value: ${JSON.stringify(image)}`;
  return [{ path: "config/manager/manager.yaml", point: "managerenv", text }];
}

/** Inserts each fragment at its scaffold point. */
export async function insertFragments(draft: Draft, fragments: readonly Fragment[]): Promise<void> {
  for (const { path, point, text } of fragments) {
    await draft.change(path, (before) => insertAtPoint(before, { path, name: point }, text));
  }
}

/** Removes fragments that are still as they were written. */
export async function removeFragments(draft: Draft, fragments: readonly Fragment[]): Promise<void> {
  for (const { path, text } of fragments) {
    if ((await draft.read(path)) !== undefined) await draft.change(path, (before) => removeFragment(before, text));
  }
}
