import { emitYaml } from "../../apimachinery/yaml/emit.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { diffTexts } from "../../files/diff.ts";
import type { Entry } from "./entry.ts";

/** Metadata that the server writes. */
const ofServer = ["uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink"];
/** The comparison takes the product of the lines that differ. */
const mostLines = 2_000;
const longest = 200;

/** Returns the change of an object as a unified difference; values of Secrets are hidden. */
export function showDifference({ resource, name, effect, before, after, differences }: Entry): string {
  if (!before || !after || effect.startsWith("deletes")) return "";
  const keepsStatus = effect === "changes the status of";
  const [old, now] = [hideValues(before), hideValues(after, before)]
    .map((object) => shownPart(object, keepsStatus))
    .map((object) => cut(emitYaml(object)));
  const path = `${resource.replace(/^\//, "")}/${name}`;
  if (Math.max(old!.split("\n").length, now!.split("\n").length) <= mostLines) return diffTexts(path, old, now);
  const lines = differences.flatMap(({ path: field, expected, actual }) => [
    ...(expected === undefined ? [] : [cut(`-${field}: ${expected}`)]),
    ...(actual === undefined ? [] : [cut(`+${field}: ${actual}`)]),
  ]);
  return `--- a/${path}\n+++ b/${path}\n${lines.join("\n")}\n`;
}

/** Returns the values of a change for programs. */
export function valuesOf({ kind, differences }: Entry): { path: string; before?: string; after?: string }[] {
  const show = (path: string, value: string): string =>
    kind === "Secret" && /^(data|stringData|metadata\.annotations)\./.test(path) ? "<hidden>" : value;
  return differences.map(({ path, expected, actual }) => ({
    path,
    ...(expected !== undefined && { before: show(path, expected) }),
    ...(actual !== undefined && { after: show(path, actual) }),
  }));
}

function shownPart({ metadata, status, ...content }: UnstructuredObject, keepsStatus: boolean): object {
  const kept = Object.entries(metadata).filter(([field]) => !ofServer.includes(field));
  return { ...(keepsStatus ? { status } : content), metadata: Object.fromEntries(kept) };
}

/** Replaces the values of a Secret by their sizes, and says which differ from those before. */
function hideValues(object: UnstructuredObject, before: UnstructuredObject = object): UnstructuredObject {
  if (object.kind !== "Secret") return object;
  const { data, stringData: _text, metadata, ...rest } = object;
  const old = isObject(before["data"]) ? before["data"] : {};
  const hidden = Object.entries(isObject(data) ? data : {}).map(([key, value]) => {
    const differs = Object.hasOwn(old, key) && old[key] !== value;
    return [key, `<${Buffer.from(String(value), "base64").length} bytes${differs ? ", changed" : ""}>`] as const;
  });
  const annotations = Object.entries(metadata.annotations ?? {}).map(([key, value]) =>
    key === "kubectl.kubernetes.io/last-applied-configuration" ? ([key, "<hidden>"] as const) : ([key, value] as const),
  );
  return {
    ...rest,
    metadata: { ...metadata, ...(metadata.annotations && { annotations: Object.fromEntries(annotations) }) },
    data: Object.fromEntries(hidden),
  };
}

/** Cuts long lines, such as programs in ConfigMaps. */
function cut(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.length > longest ? `${line.slice(0, longest)}…` : line))
    .join("\n");
}
