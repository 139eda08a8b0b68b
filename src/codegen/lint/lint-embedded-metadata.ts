import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { DefinedVersion } from "../model.ts";
import type { Report } from "../report.ts";
import type { ProjectSources } from "../source/project-sources.ts";
import { typeOf } from "../types/type-names.ts";
import { locate } from "./locate.ts";
import { walkSchema } from "./walk-schema.ts";

/** Reports the first metadata of an embedded object, such as a pod template, whose labels the server drops. */
export function lintEmbeddedMetadata(
  { schema, source }: DefinedVersion,
  sources: ProjectSources,
  report: Report,
): void {
  if (source.dropsEmbeddedMeta) return;
  let first: readonly string[] | undefined;
  walkSchema(schema, (node, names) => {
    if (first || names[0] === "metadata") return "skip";
    // Whoever uses a PodSpec seldom means the claims of its ephemeral volumes. The server keeps an embedded resource.
    if (typeOf(node)?.name === "EphemeralVolumeSource" || node["x-kubernetes-embedded-resource"]) return "skip";
    if (isBareMetadata(node)) first = names;
    return undefined;
  });
  if (!first) return;
  report.warning(locate(source, first, sources), "TSOP_CRD_ADVICE", {
    path: [source.kind, ...first].join("."),
    reason: "the server drops the labels and annotations in it, which the CRD does not have",
    advice: `to keep them, add // +tsop:embeddedObjectMeta to a file of ${source.folder}; to accept it, // +tsop:embeddedObjectMeta=false`,
  });
}

function isBareMetadata(schema: JsonSchema): boolean {
  const type = typeOf(schema);
  const isOpen = schema.properties !== undefined || schema["x-kubernetes-preserve-unknown-fields"];
  return type?.name === "ObjectMeta" && type.file === undefined && !isOpen;
}
