import { isTypeScript } from "../../../files/typescript-files.ts";
import type { Project } from "../../project.ts";
import { insertFragments, removeFragments, type Fragment } from "../api/api-fragments.ts";
import { apiContext } from "../api/api-context.ts";
import { ownFiles, withSwitch, type Editing } from "../draft/draft.ts";
import { renderTemplates } from "../templates/render-templates.ts";

/** Restricts the operator to its own namespace, with a Role instead of a ClusterRole, or lifts the restriction. */
export async function changeScope(editing: Editing, project: Project, namespaced: boolean): Promise<Project> {
  const { draft, disk } = editing;
  const next = withSwitch(project, "namespaced", namespaced);
  const part = namespaced ? "namespaced" : "cluster";
  for (const { path, text } of await renderTemplates(disk, "init-scope", [part], {
    projectName: project.projectName,
  })) {
    draft.create(path, text, "overwrite");
  }
  for (const path of rolesOf(project)) {
    if ((await draft.read(path)) !== undefined) await draft.change(path, (text) => switchKind(text, namespaced));
  }
  if (namespaced) await insertFragments(draft, [watchNamespace]);
  else await removeFragments(draft, [watchNamespace]);
  await switchMarkers(editing, `,namespace=${project.projectName}-system`, namespaced);
  return next;
}

const watchNamespace: Fragment = {
  path: "config/manager/manager.yaml",
  point: "managerenv",
  text: "- name: WATCH_NAMESPACE\n  valueFrom:\n    fieldRef:\n      fieldPath: metadata.namespace",
};

/** Lists the roles for the users of each kind. */
function rolesOf(project: Project): string[] {
  const files = (project.resources ?? []).map((resource) => apiContext(project, resource).roleFile);
  return [...new Set(files)].flatMap((file) =>
    ["admin", "editor", "viewer"].map((who) => `config/rbac/${file}_${who}_role.yaml`),
  );
}

function switchKind(text: string, namespaced: boolean): string {
  const [before, after] = namespaced ? ["ClusterRole", "Role"] : ["Role", "ClusterRole"];
  return text.replace(new RegExp(`^kind: ${before}$`, "m"), `kind: ${after}`);
}

/** Sets the namespace of the markers: the generators write a Role for markers that name one. */
async function switchMarkers(editing: Editing, suffix: string, namespaced: boolean): Promise<void> {
  const { draft } = editing;
  const marker = /\+kubebuilder:rbac:[^\s*]+/g;
  for (const file of await ownFiles(editing)) {
    if (!isTypeScript(file) || file.includes("zz_generated")) continue;
    const text = await draft.read(file);
    if (!text?.includes("+kubebuilder:rbac:")) continue;
    await draft.change(file, (before) =>
      before.replace(marker, (found) => {
        if (!namespaced) return found.replace(suffix, "");
        return found.includes("namespace=") || found.includes("urls=") ? found : found + suffix;
      }),
    );
  }
}
