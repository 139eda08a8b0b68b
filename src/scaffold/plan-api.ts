import { TsopError } from "../errors/tsop-error.ts";
import type { Disk } from "../files/disk.ts";
import type { Plan } from "../files/plan.ts";
import type { LoadedProject } from "../project/load-project.ts";
import { formatProject } from "../project/parse-project.ts";
import { qualifiedGroup, type Project, type Resource } from "../project/project.ts";
import { apiContext, type ApiContext } from "./api-context.ts";
import { parseResource, type ApiOptions } from "./api-options.ts";
import { Draft } from "./draft.ts";
import { fileHeader } from "./file-header.ts";
import { renderTemplates } from "./render-templates.ts";
import { insertAtPoint } from "./scaffold-points.ts";

/** Plans a new kind, its controller, or both. */
export async function planApi(loaded: LoadedProject, options: ApiOptions, disk: Disk): Promise<Plan> {
  const { project, root, text } = loaded;
  const resource = parseResource(project, options);
  const known = findResource(project, resource);
  if (options.resource && known?.api && !options.force) {
    throw new TsopError("TSOP_API_EXISTS", {
      kind: resource.kind,
      group: qualifiedGroup(resource),
      version: resource.version,
    });
  }
  const draft = new Draft(root, disk);
  const context = apiContext(project, { resource, header: fileHeader(await draft.read("hack/boilerplate.ts.txt")) });
  if (options.resource) await draftResource(draft, context, disk);
  if (options.controller) await draftController(draft, context, disk);
  const next = withResource(project, resource, options);
  await draft.change("PROJECT", () => formatProject(next, text));
  return draft.plan();
}

async function draftResource(draft: Draft, context: ApiContext, disk: Disk): Promise<void> {
  for (const part of ["resource", "new-version", "first-kind"]) {
    const ifExists = part === "resource" ? "fail" : "keep";
    for (const { path, text } of await renderTemplates(disk, "create-api", [part], context)) {
      if (ifExists === "fail" || (await draft.read(path)) === undefined) draft.create(path, text, ifExists);
    }
  }
  const insert = inserter(draft);
  await insert(
    "config/crd/kustomization.yaml",
    "crdkustomizeresource",
    `- bases/${context.apiGroup}_${context.plural}.yaml`,
  );
  await insert("config/samples/kustomization.yaml", "manifestskustomizesamples", `- ${context.sample}.yaml`);
  const roles = ["admin", "editor", "viewer"].map((who) => `- ${context.roleFile}_${who}_role.yaml`);
  await insert("config/rbac/kustomization.yaml", "rbacroles", roles.join("\n"));
  await insert("config/default/kustomization.yaml", "defaultresources", "- ../crd");
}

async function draftController(draft: Draft, context: ApiContext, disk: Disk): Promise<void> {
  for (const { path, text } of await renderTemplates(disk, "create-api", ["controller", "controller-test"], context)) {
    draft.create(path, text);
  }
  const { reconciler, controllerFolder, controllerFile } = context;
  const insert = inserter(draft);
  await insert(
    "main.ts",
    "imports",
    `import { ${reconciler} } from "./${controllerFolder}/${controllerFile}_controller.ts";`,
  );
  await insert("main.ts", "builder", `await new ${reconciler}(mgr.client).setupWithManager(mgr);`);
}

function inserter(draft: Draft): (path: string, name: string, fragment: string) => Promise<void> {
  return (path, name, fragment) => draft.change(path, (text) => insertAtPoint(text, { path, name }, fragment));
}

function findResource(project: Project, wanted: Resource): Resource | undefined {
  return project.resources?.find((resource) => isSame(resource, wanted));
}

function isSame(a: Resource, b: Resource): boolean {
  return a.kind === b.kind && a.version === b.version && qualifiedGroup(a) === qualifiedGroup(b);
}

function withResource(project: Project, resource: Resource, options: ApiOptions): Project {
  const added: Resource = { ...resource, ...(options.controller ? { controller: true } : {}) };
  const resources = project.resources ?? [];
  const isKnown = resources.some((other) => isSame(other, resource));
  return {
    ...project,
    resources: isKnown
      ? resources.map((other) => (isSame(other, resource) ? { ...other, ...added } : other))
      : [...resources, added],
  };
}
