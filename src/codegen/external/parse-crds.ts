import { checkAnyVersion, checkAnyKind, checkGroupPart } from "../../project/value-rules.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import { checkDns1035Label } from "../../apimachinery/names.ts";
import { convertV1beta1 } from "../../apimachinery/crd/convert-v1beta1.ts";
import type { CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { parseDocuments } from "../../client/manifests/parse-documents.ts";

/** The definitions in a text, and the kinds of the other objects. */
export interface ParsedCrds {
  readonly crds: readonly CustomResourceDefinition[];
  readonly others: readonly string[];
}

/** Reads the CustomResourceDefinitions of a text with many documents: manifests, lists, the output of a Helm chart. */
export function parseCrds(text: string, file: string): ParsedCrds {
  const objects = parseDocuments(text, file).flatMap(unpack);
  const crds = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
  const others = objects.filter((object) => !crds.includes(object)).map(({ kind }) => String(kind));
  return { crds: crds.map((crd) => readCrd(crd, file)), others };
}

/** Checks the names that become part of paths and of source text, and converts v1beta1. */
export function readCrd(object: object, source: string): CustomResourceDefinition {
  const crd = object as CustomResourceDefinition;
  const name = crd.metadata?.name ?? "without a name";
  const refuse = (reason: string): never => {
    throw new TsopError("TSOP_CRD_UNUSABLE", { source, name, reason });
  };
  if (!isObject(crd.spec) || !isObject(crd.spec.names)) return refuse("it has no spec.names");
  const converted = convertV1beta1(crd);
  const { group, names, versions } = converted.spec;
  if (!Array.isArray(versions) || versions.length === 0) return refuse("it has no versions");
  const checks: readonly (readonly [string, unknown, (value: string) => string | undefined])[] = [
    ["group", group, checkGroupPart],
    ["kind", names.kind, checkAnyKind],
    ["plural", names.plural, checkDns1035Label],
    ...versions.map((version) => ["version", (version as { name?: unknown }).name, checkAnyVersion] as const),
  ];
  for (const [field, value, check] of checks) {
    const broken = typeof value === "string" ? check(value) : "a text is needed";
    if (broken) refuse(`${field} ${JSON.stringify(value)} is not valid: ${broken}`);
  }
  return converted;
}

function unpack(document: unknown): Record<string, unknown>[] {
  if (!isObject(document) || typeof document["kind"] !== "string") return [];
  const { kind, items } = document;
  return kind.endsWith("List") && Array.isArray(items) ? items.flatMap(unpack) : [document];
}
