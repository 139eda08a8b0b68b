import { join, posix } from "node:path";
import { isObject } from "../../apimachinery/is-object.ts";
import { keepLineEnds } from "../../files/line-ends.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { planSealed } from "../../files/plan-sealed.ts";
import type { Plan } from "../../files/plan.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";
import type { LoadedProject } from "../load-project.ts";
import { recordProject } from "../parse-project.ts";
import { withPlugin, type Project } from "../project.ts";
import { renderTemplates } from "../scaffold/templates/render-templates.ts";
import { renderChart, renderCrdChart } from "./render-chart.ts";
import { readSubject, type Subject } from "./subject.ts";
import { dnsLabelProblems } from "../../apimachinery/dns-names.ts";
import { hasMarks } from "./template.ts";

/** The text that kustomize has built. */
export interface BuiltManifests {
  readonly text: string;
  /** Its name in messages. */
  readonly file: string;
  /** False if the text comes from standard input. */
  readonly isFile: boolean;
}

export interface ChartOptions {
  readonly manifests: BuiltManifests;
  /** The folder that contains the folder `chart`, relative to the project; by default that of PROJECT, or `dist`. */
  readonly outputDir?: string | undefined;
  /** Write a chart of the CRDs as well; by default, if PROJECT says so. */
  readonly crdChart?: boolean | undefined;
  /** Overwrite files that were edited. */
  readonly force: boolean;
}

export interface PlannedChart {
  readonly plan: Plan;
  /** Files that were edited by hand and stay, although tsop would now write something else than before. */
  readonly kept: readonly string[];
}

type Reader = Pick<Disk, "read" | "list">;

/** The key of the chart in PROJECT. */
export const chartKey = "helm.kubebuilder.io/v2-alpha";

/** Plans the chart of a project, the targets of its Makefile, and the record in PROJECT. */
export async function planChart(loaded: LoadedProject, options: ChartOptions, disk: Reader): Promise<PlannedChart> {
  const { root, project, text } = loaded;
  const record = recordOf(project);
  const { manifests, outputDir = record.output, crdChart = record.crdChart, force } = options;
  checkOutput(outputDir);
  const objects = readObjects(manifests.text, manifests.file);
  const subject = await completeSubject(readSubject(project.projectName, objects, manifests.file), { root, disk });
  const folder = posix.join(outputDir, "chart");
  const { changes, kept } = await planSealed(await renderChart(subject, disk), { root, folder, force }, disk);
  const crdFolder = { root, folder: posix.join(outputDir, "crd-chart"), force };
  const ofCrds = await planSealed(crdChart ? await renderCrdChart(subject, disk) : [], crdFolder, disk);
  const after = {
    ...(manifests.isFile ? { manifests: manifests.file } : {}),
    output: outputDir,
    ...(crdChart && { crdChart }),
  };
  const own = recordProject(withPlugin(project, chartKey, true, after), text);
  const before = await disk.read(join(root, "Makefile"));
  if (before !== undefined && !/^helm-chart:/m.test(before)) {
    const { name, namespace } = subject;
    const [targets] = await renderTemplates(disk, "edit-helm-targets", [], { name, namespace, folder });
    const makefile = keepLineEnds(before, (lines) => lines + targets!.text);
    own.push({ type: "update", path: "Makefile", text: makefile, before });
  }
  return { plan: { root, changes: [...changes, ...ofCrds.changes, ...own] }, kept: [...kept, ...ofCrds.kept] };
}

/** Returns what PROJECT records of the chart. */
function recordOf({ plugins }: Project): { readonly output: string; readonly crdChart: boolean } {
  const record = plugins?.[chartKey];
  const { output, crdChart } = isObject(record) ? record : {};
  return { output: typeof output === "string" ? output : "dist", crdChart: crdChart === true };
}

/** Checks the folder of the chart, which the Makefile and PROJECT contain. */
export function checkOutput(outputDir: string): void {
  const isPlain = /^[\w@~.-]+(\/[\w@~.-]+)*$/.test(outputDir) && !outputDir.startsWith("..");
  const rule = "a folder of the project, of letters, digits and @~.-_, like charts";
  if (!isPlain)
    throw new TsopError("TSOP_INVALID_OPTION", { flag: "--output-dir", value: JSON.stringify(outputDir), rule });
}

/** Adds the objects of config/ that the kustomization leaves out by default, and that a value of the chart adds. */
async function completeSubject(subject: Subject, { root, disk }: { root: string; disk: Reader }): Promise<Subject> {
  const extra: UnstructuredObject[] = [];
  for (const [kind, folder] of optionalFolders) {
    if (subject.objects.some((object) => object.kind === kind)) continue;
    for (const file of await disk.list(join(root, folder))) {
      if (!file.endsWith(".yaml")) continue;
      const text = (await disk.read(join(root, folder, file))) ?? "";
      const objects = readObjects(text, posix.join(folder, file)).filter((object) => object.kind === kind);
      extra.push(...objects.map((object) => build(object, subject)));
    }
  }
  return { ...subject, extra };
}

function readObjects(text: string, file: string): UnstructuredObject[] {
  const objects = parseDocuments(text, file).filter(
    (object) => isObject(object) && isObject(object["metadata"]),
  ) as UnstructuredObject[];
  checkObjects(objects, file);
  return objects;
}

const optionalFolders = [
  ["ServiceMonitor", "config/prometheus"],
  ["NetworkPolicy", "config/network-policy"],
] as const;

/** Gives an object the name and the namespace that kustomize would give it. */
function build(object: UnstructuredObject, { prefix, namespace }: Subject): UnstructuredObject {
  return { ...object, metadata: { ...object.metadata, name: `${prefix}${object.metadata.name}`, namespace } };
}

/**
 * Checks what a chart is made of: kinds, names and namespaces become parts of template text, of patterns, of paths and of
 * the Makefile. Throws if a cluster would refuse one of them, or if a text has a mark of template text.
 */
function checkObjects(objects: readonly UnstructuredObject[], file: string): void {
  for (const object of objects) {
    const { name, namespace } = object.metadata;
    const refuse = (reason: string): never => {
      throw new TsopError("TSOP_HELM_OBJECT", { file, object: JSON.stringify(name ?? ""), reason });
    };
    if (!isText(object.kind) || !/^[A-Za-z][A-Za-z0-9]*$/.test(object.kind)) refuse("its kind is not a word");
    if (name !== undefined && !(isText(name) && /^[\w.:-]+$/.test(name) && !/^\.+$/.test(name)))
      refuse("its name is not one of Kubernetes");
    if (namespace !== undefined && !(isText(namespace) && dnsLabelProblems(namespace).length === 0))
      refuse("its namespace is not one of Kubernetes");
    if (hasMarks(object)) refuse("it has one of the characters U+E000 and U+E001, which stand for template text");
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
