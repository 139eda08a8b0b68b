import type { Disk } from "../../../files/disk.ts";
import type { Plan } from "../../../files/plan.ts";
import type { LoadedProject } from "../../load-project.ts";
import { formatProject } from "../../parse-project.ts";
import { boilerplateFile } from "../../../files/file-header.ts";
import { boilerplate, type LicenseOptions } from "../init/boilerplate.ts";
import type { InitFlags } from "../init/init-flags.ts";
import { Draft } from "../draft/draft.ts";
import { changeLayout } from "./change-layout.ts";
import { changeScope } from "./change-scope.ts";

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
  const editing = { draft, disk, root };
  let project = loaded.project;
  let renamed: readonly string[] = [];
  if (options.multigroup !== undefined && options.multigroup !== (project.multigroup ?? false)) {
    ({ project, renamed } = await changeLayout(editing, project, options.multigroup));
  }
  if (options.namespaced !== undefined && options.namespaced !== (project.namespaced ?? false)) {
    project = await changeScope(editing, project, options.namespaced);
  }
  if (options.license ?? options.licenseFile ?? options.owner) await changeBoilerplate(draft, options, disk);
  await draft.change("PROJECT", () => formatProject(project, text));
  return { plan: draft.plan(), renamed };
}

async function changeBoilerplate(draft: Draft, options: LicenseOptions, disk: Disk): Promise<void> {
  const text = await boilerplate(options, disk);
  if (text === undefined) await draft.remove(boilerplateFile);
  else draft.create(boilerplateFile, text, "overwrite");
}
