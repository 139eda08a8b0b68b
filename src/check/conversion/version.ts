import { cloneJson } from "../../apimachinery/clone.ts";
import { prepareRules } from "../../apimachinery/cel/rules/rule-tree.ts";
import { validateWithRules } from "../../apimachinery/cel/rules/validate-rules.ts";
import type { CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { apiVersionOf } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { applyDefaults } from "../../apimachinery/schema/apply-defaults.ts";
import { pruneUnknown } from "../../apimachinery/schema/prune.ts";
import { TurnBudget } from "../../apimachinery/turn-budget.ts";

/** A version of a kind, with its schema. */
export interface Version {
  readonly apiVersion: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly schema: JsonSchema;
}

/** Returns the served versions of a CRD with a conversion webhook: first the stored one, which is taken for the hub. */
export function versionsOfCrd({ spec }: CustomResourceDefinition): Version[] {
  const wanted = spec.conversion?.strategy === "Webhook" ? spec.versions : [];
  return wanted
    .filter(({ served, storage }) => served || storage)
    .toSorted((a, b) => Number(b.storage) - Number(a.storage))
    .map(({ name, schema }) => ({
      apiVersion: apiVersionOf({ group: spec.group, version: name }),
      kind: spec.names.kind,
      isNamespaced: spec.scope === "Namespaced",
      schema: schema?.openAPIV3Schema ?? {},
    }));
}

/** Returns a copy of an object as a server stores it: without unknown fields, and with defaults. */
export function inShapeOf({ schema, apiVersion, kind }: Version, object: UnstructuredObject): UnstructuredObject {
  const { apiVersion: _version, kind: _kind, metadata, ...fields } = cloneJson(object);
  const shaped = { apiVersion, kind, metadata, ...fields };
  pruneUnknown(schema, shaped);
  applyDefaults(schema, shaped);
  return shaped;
}

/** Reports whether a server accepts an object by the schema and its rules. */
export function isValid({ schema }: Version, object: UnstructuredObject): boolean {
  return validateWithRules(schema, object).errors.length === 0;
}

/** Compiles the rules of versions. */
export async function prepareVersions(versions: readonly Version[]): Promise<void> {
  for (const { schema } of versions) await prepareRules(schema, true, new TurnBudget());
}

/** Returns the name of a version without its group. */
export function shortName(apiVersion = ""): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}
