import type { Disk } from "../../../files/disk.ts";
import type { Plan } from "../../../files/plan.ts";
import type { LoadedProject } from "../../load-project.ts";
import { boilerplateFile } from "../../../files/file-header.ts";
import { boilerplate, type LicenseOptions } from "../init/boilerplate.ts";
import type { InitFlags } from "../init/init-flags.ts";
import { Draft, ownFiles, withSwitch } from "../draft/draft.ts";
import { changeLayout } from "./change-layout.ts";
import { isTypeScript } from "../../../files/typescript-files.ts";
import type { Project } from "../../project.ts";
import { insertFragments, removeFragments, type Fragment } from "../api/api-fragments.ts";
import { apiContext } from "../api/api-context.ts";

export type EditOptions = LicenseOptions & Pick<InitFlags, "multigroup" | "namespaced">;

/** The changes of the project's files. */
export interface EditPlan {
  readonly plan: Plan;
  /** The names that clusters, alerts and bindings may know, as `controller memcached to cache-memcached`. */
  readonly renamed: readonly string[];
}

/** Plans a change of the whole project: its layout, the namespaces it watches, or the licence of future files. */
export async function planEdit(loaded: LoadedProject, options: EditOptions, disk: Disk): Promise<EditPlan> {
  const { root, text } = loaded;
  const draft = new Draft(root, disk);
  let project = loaded.project;
  let renamed: readonly string[] = [];
  if (options.multigroup !== undefined && options.multigroup !== (project.multigroup ?? false)) {
    ({ project, renamed } = await changeLayout(draft, project, options.multigroup));
  }
  if (options.namespaced !== undefined && options.namespaced !== (project.namespaced ?? false)) {
    project = await changeScope(draft, project, options.namespaced);
  }
  if (options.license ?? options.licenseFile ?? options.owner) await changeBoilerplate(draft, options);
  return { plan: await draft.planWith(project, text), renamed };
}

async function changeBoilerplate(draft: Draft, options: LicenseOptions): Promise<void> {
  const text = await boilerplate(options, draft.disk);
  if (text === undefined) await draft.remove(boilerplateFile);
  else draft.create(boilerplateFile, text, "overwrite");
}

/** Restricts the operator to its own namespace, with a Role instead of a ClusterRole, or lifts the restriction. */
async function changeScope(draft: Draft, project: Project, namespaced: boolean): Promise<Project> {
  const next = withSwitch(project, "namespaced", namespaced);
  const part = namespaced ? "namespaced" : "cluster";
  draft.createAll(await draft.render("init-scope", [part], { projectName: project.projectName }), "overwrite");
  for (const path of rolesOf(project)) {
    if ((await draft.read(path)) !== undefined) await draft.change(path, (text) => switchKind(text, namespaced));
  }
  if (namespaced) await insertFragments(draft, [watchNamespace]);
  else await removeFragments(draft, [watchNamespace]);
  await switchMarkers(draft, `,namespace=${project.projectName}-system`, namespaced);
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
async function switchMarkers(draft: Draft, suffix: string, namespaced: boolean): Promise<void> {
  const marker = /\+kubebuilder:rbac:[^\s*]+/g;
  for (const file of await ownFiles(draft)) {
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
