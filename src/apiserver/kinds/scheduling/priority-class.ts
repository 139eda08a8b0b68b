import { fill } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { forbidden as forbiddenField } from "../../../apimachinery/field-error.ts";
import type { StatusCause } from "../../../apimachinery/status.ts";
import { forbidden } from "../../refusals.ts";
import type { StrategyContext } from "../../registry/served-resource.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { numberAt, textAt, valueAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { immutable } from "../rules/immutable.ts";

/** PriorityClass. Its generation is always 1. */
export const priorityClass: BuiltinKind = {
  applyDefaults: (priorityClass) => fill(priorityClass, { preemptionPolicy: "PreemptLowerPriority" }),
  prepareCreate: refuseSecondDefault,
  prepareUpdate: (object, _old, context) => refuseSecondDefault(object, context),
  generationOf: () => undefined,
  validate: (object, old) => (old ? immutable(object, old, ["value", "preemptionPolicy"]) : newErrors(object)),
  seeds: systemPriorityClasses,
  printer: printer("Value:integer|Global-Default:boolean|Age|PreemptionPolicy", (object) => [
    numberAt(object, "value"),
    valueAt(object, "globalDefault") === true,
    textAt(object, "preemptionPolicy"),
  ]),
};

/** Returns the classes that a server creates at its start. Their prefix is reserved. */
function systemPriorityClasses(): UnstructuredObject[] {
  return [
    systemClass(
      "system-node-critical",
      2_000_001_000,
      "Used for system critical pods that must not be moved from their current node.",
    ),
    systemClass(
      "system-cluster-critical",
      2_000_000_000,
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
  ];
}

const highestOfUsers = 1_000_000_000;

function systemClass(name: string, value: number, description: string): UnstructuredObject {
  return {
    kind: "PriorityClass",
    apiVersion: "scheduling.k8s.io/v1",
    metadata: { name, generation: 1 },
    value,
    description,
    preemptionPolicy: "PreemptLowerPriority",
  };
}

const priorityClasses = { group: "scheduling.k8s.io", plural: "priorityclasses" };

/** Throws a 403 for a second default class, as an admission plugin does. */
function refuseSecondDefault({ metadata: { name = "" }, globalDefault }: UnstructuredObject, context: StrategyContext) {
  if (globalDefault !== true) return;
  for (const other of context.list(priorityClasses))
    if (other["globalDefault"] === true && other.metadata.name !== name) {
      const why = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`;
      throw forbidden(priorityClasses, name, why);
    }
}

function newErrors({ metadata: { name = "" }, value }: UnstructuredObject): StatusCause[] {
  const most = `maximum allowed value of a user defined priority is ${highestOfUsers}`;
  return [
    ...(name.startsWith("system-") ? [forbiddenField("metadata.name", "the prefix 'system-' is reserved")] : []),
    ...(Number(value) > highestOfUsers ? [forbiddenField("value", most)] : []),
  ];
}
