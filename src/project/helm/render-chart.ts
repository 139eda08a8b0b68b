import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { sealText } from "../../files/edited.ts";
import type { SealedFile } from "../../files/plan-sealed.ts";
import type { Disk } from "../../files/disk.ts";
import { renderTemplates } from "../scaffold/templates/render-templates.ts";
import { featureOf } from "./features.ts";
import { fillNames, longestFullname } from "./names.ts";
import { fillObject } from "./fill-object.ts";
import type { Subject } from "./subject.ts";
import { renderManifest } from "./template.ts";
import { listCrdValues, listValues, type ChartValue } from "./values.ts";
import { emitYaml } from "../../apimachinery/yaml/emit.ts";

/** Renders all files of an operator's chart. Chart.yaml is its users', with the version of the chart. */
export async function renderChart(subject: Subject, disk: Reader): Promise<SealedFile[]> {
  const { name, manager, pod } = subject;
  const tokens = {
    account: renderName(pod.serviceAccountName ?? "default", subject),
    // The longest first part of a name with which all names are valid.
    longest: String(longestFullname(subject)),
    manager: renderName(manager.metadata.name ?? "", subject),
  };
  const description = `The operator ${name} and its CustomResourceDefinitions`;
  const texts = await renderTexts(disk, "operator", { name, description, projectName: name, ...tokens });
  return seal([...texts, ...valueFiles(name, listValues(subject)), ...renderObjects(subject)]);
}

/** Renders a chart of the CustomResourceDefinitions alone, which is installed into the namespace of the operator. */
export async function renderCrdChart(subject: Subject, disk: Reader): Promise<SealedFile[]> {
  const { name } = subject;
  const crds = subject.objects.filter(({ kind }) => kind === "CustomResourceDefinition");
  const description = `The CustomResourceDefinitions of the operator ${name}`;
  const texts = await renderTexts(disk, "crds", { name: `${name}-crds`, description, projectName: name });
  const files = crds.map((crd) => ({
    path: `templates/${crd.metadata.name}.yaml`,
    text: headerOf(crd) + renderManifest(fillObject(crd, subject)),
  }));
  return seal([...texts, ...valueFiles(`${name}-crds`, listCrdValues(subject)), ...files]);
}

type Reader = Pick<Disk, "read" | "list">;

/** Renders the files that depend on no object. In those with Helm's own braces, `__name__` stands for a value. */
async function renderTexts(
  disk: Reader,
  part: string,
  context: Readonly<Record<string, string>>,
): Promise<SealedFile[]> {
  const files = await renderTemplates(disk, "edit-helm", [part], context);
  const fill = (text: string): string => text.replace(/__(\w+?)__/g, (token, name: string) => context[name] ?? token);
  return files.map(({ path, text }) => ({ path, text: fill(text) }));
}

function valueFiles(name: string, values: readonly ChartValue[]): SealedFile[] {
  return [
    { path: "values.yaml", text: formatValues(name, values) },
    { path: "values.schema.json", text: formatSchema(name, values) },
  ];
}

/** Seals files, except Chart.yaml, which is its users'. */
function seal(files: readonly SealedFile[]): SealedFile[] {
  return files.map(({ path, text }) =>
    path === "Chart.yaml"
      ? { path, text, once: true }
      : { path, text: sealText(text, (content) => commentIn(path, content)) },
  );
}

function renderName(name: string, subject: Subject): string {
  return renderManifest(fillNames(name, subject)).trimEnd();
}

function renderObjects(subject: Subject): SealedFile[] {
  const all = [...subject.objects, ...subject.extra].filter((object) => !isNamespaceOfRelease(object, subject));
  const paths = all.map((object) => pathOf(object, subject));
  return all.map((object, at) => {
    const path = paths[at]!;
    const isShared = paths.filter((other) => other === path).length > 1;
    const kind = (object.kind ?? "").toLowerCase();
    return {
      path: `templates/${isShared ? `${path}-${kind}` : path}.yaml`,
      text: renderObject(object, subject),
    };
  });
}

/** Helm creates the namespace of a release, and does not own it. */
function isNamespaceOfRelease({ kind, metadata }: UnstructuredObject, { namespace }: Subject): boolean {
  return kind === "Namespace" && metadata.name === namespace;
}

function pathOf(object: UnstructuredObject, subject: Subject): string {
  const { folder } = featureOf(object, subject);
  const name = object.metadata.name ?? "";
  const short = name.startsWith(subject.prefix) ? name.slice(subject.prefix.length) : name;
  return `${folder}/${object === subject.manager ? "manager" : short}`;
}

function renderObject(object: UnstructuredObject, subject: Subject): string {
  const { condition } = featureOf(object, subject);
  const text = renderManifest(fillObject(object, subject));
  return headerOf(object) + (condition === undefined ? text : `{{- if ${condition} }}\n${text}{{- end }}\n`);
}

function headerOf({ kind }: UnstructuredObject): string {
  return `{{- /* ${kind} of config/. */ -}}\n`;
}

function commentIn(path: string, content: string): string {
  if (path.endsWith(".json")) return `  "$comment": "${content}",`;
  return path.startsWith("templates/") ? `{{- /* ${content} */ -}}` : `# ${content}`;
}

/** Writes values.yaml: each value under its comment. */
function formatValues(name: string, values: readonly ChartValue[]): string {
  const parts = values.flatMap(({ path, comment, value, schema }) => {
    const steps = path.split(".");
    const name = steps.at(-1)!;
    const lines = schema
      ? emitYaml({ [name]: value })
          .trimEnd()
          .split("\n")
      : [`${name}:`];
    const commented = comment === "" ? lines : [`# ${comment}`, ...lines];
    const margin = "  ".repeat(steps.length - 1);
    return [...(steps.length === 1 ? [""] : []), ...commented.map((line) => margin + line)];
  });
  return [`# Values of the chart ${name}: the defaults are those of config/default.`, ...parts, ""].join("\n");
}

interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
}

/** Writes values.schema.json, with which Helm checks the values. A misspelled value of a group is an error. */
function formatSchema(name: string, values: readonly ChartValue[]): string {
  const root: Schema = { type: "object", properties: {} };
  for (const { path, comment, schema } of values) {
    const steps = path.split(".");
    const parent = steps.slice(0, schema ? -1 : undefined).reduce(groupIn, root);
    const description = comment === "" ? {} : { description: comment };
    if (schema) parent.properties![steps.at(-1)!] = { ...schema, ...description };
    else Object.assign(parent, description);
  }
  const head = { $schema: "http://json-schema.org/draft-07/schema#", title: `Values of the chart ${name}` };
  return `${JSON.stringify({ ...head, ...root }, null, 2)}\n`;
}

function groupIn(parent: Schema, step: string): Schema {
  return (parent.properties![step] ??= { type: "object", additionalProperties: false, properties: {} });
}
