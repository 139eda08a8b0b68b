import type { Disk } from "../../files/disk.ts";
import type { Plan } from "../../files/plan.ts";
import type { LoadedProject } from "../../project/load-project.ts";
import { formatProject } from "../../project/parse-project.ts";
import { boilerplateFile } from "../../files/file-header.ts";
import { boilerplate, type LicenseOptions } from "../init/boilerplate.ts";
import { Draft } from "../draft/draft.ts";
import { changeLayout } from "./change-layout.ts";
import { changeScope } from "./change-scope.ts";

export interface EditOptions extends LicenseOptions {
  readonly multigroup?: boolean | undefined;
  readonly namespaced?: boolean | undefined;
}

/** Plans a change of the whole project: its layout, the namespaces it watches, or the licence of future files. */
export async function planEdit(loaded: LoadedProject, options: EditOptions, disk: Disk): Promise<Plan> {
  const { root, text } = loaded;
  const draft = new Draft(root, disk);
  const editing = { draft, disk, root };
  let project = loaded.project;
  if (options.multigroup !== undefined && options.multigroup !== (project.multigroup ?? false)) {
    project = await changeLayout(editing, project, options.multigroup);
  }
  if (options.namespaced !== undefined && options.namespaced !== (project.namespaced ?? false)) {
    project = await changeScope(editing, project, options.namespaced);
  }
  if (options.license ?? options.licenseFile ?? options.owner) await changeBoilerplate(draft, options, disk);
  await draft.change("PROJECT", () => formatProject(project, text));
  return draft.plan();
}

async function changeBoilerplate(draft: Draft, options: LicenseOptions, disk: Disk): Promise<void> {
  const text = await boilerplate(options, disk);
  if (text === undefined) await draft.remove(boilerplateFile);
  else draft.create(boilerplateFile, text, "overwrite");
}
