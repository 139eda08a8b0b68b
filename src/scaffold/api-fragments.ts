import type { ApiContext } from "./api-context.ts";
import type { DeployImage } from "./api-options.ts";
import type { Draft } from "./draft.ts";
import { insertAtPoint, removeFragment } from "./scaffold-points.ts";

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
  ];
}

/** What a controller adds to main.ts, and an image to its environment. */
export function controllerFragments(context: ApiContext, deployImage?: DeployImage): Fragment[] {
  const { reconciler, controllerFolder, controllerFile, controllerName } = context;
  const imports = `import { ${reconciler} } from "./${controllerFolder}/${controllerFile}_controller.ts";`;
  if (!deployImage) {
    const text = `await new ${reconciler}(mgr.client).setupWithManager(mgr);`;
    return [mainFragment("imports", imports), mainFragment("builder", text)];
  }
  const variable = String(context["imageVariable"]);
  const builder = `await new ${reconciler}({
  client: mgr.client,
  events: mgr.eventRecorder("${controllerName}-controller"),
  image: process.env.${variable} ?? "${deployImage.image}",
}).setupWithManager(mgr);`;
  return [
    mainFragment("imports", imports),
    mainFragment("builder", builder),
    {
      path: "config/manager/manager.yaml",
      point: "managerenv",
      text: `- name: ${variable}\n  value: ${JSON.stringify(deployImage.image)}`,
    },
  ];
}

function mainFragment(point: string, text: string): Fragment {
  return { path: "main.ts", point, text };
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
