import type { ValidationRule } from "../../apimachinery/json-schema.ts";
import { tagFormats } from "../../apimachinery/tags.ts";
import { access } from "./union-conditions.ts";
import { anyElement, int, text } from "./argument.ts";
import { limitTags } from "./limits.ts";
import { noArgument, value, type Marker } from "./marker.ts";
import { addRule } from "./validation.ts";

/** A tag of Kubernetes' own types that adds a rule to the object of its field. */
export interface ParentMarker<V = unknown> extends Marker<V> {
  ruleOfParent(field: string, value: V): ValidationRule | undefined;
}

/** Reports whether a marker adds a rule to the object of its field. */
export function hasParentRule(marker: Marker): marker is ParentMarker {
  return "ruleOfParent" in marker;
}

const onValues = { targets: ["type", "field"] } as const;
const onFields = { targets: ["field"] } as const;

export const formatTag: Marker<string> = {
  ...onValues,
  name: "k8s:format",
  argument: value(text),
  help: `A syntax of Kubernetes: ${[...tagFormats.keys()].join(", ")}.`,
  apply(node, name) {
    const format = tagFormats.get(name);
    if (!format) return node.misfit(`does not accept "${name}"`, `use one of ${[...tagFormats.keys()].join(", ")}`);
    if (node.type !== "string") return node.misfit("needs a string", "remove the marker, or change the type");
    const { pattern, maxLength } = format;
    node.schema.pattern = pattern;
    if (maxLength !== undefined) node.schema.maxLength ??= maxLength;
  },
};

const maxBytes: Marker<number> = {
  ...onValues,
  name: "k8s:maxBytes",
  argument: value(int),
  help: "The largest allowed number of bytes in a string.",
  apply(node, limit) {
    if (node.type !== "string") return node.misfit("needs a string", "remove the marker, or change the type");
    node.schema.maxLength ??= limit;
    addRule(node.schema, { rule: `bytes(self).size() <= ${limit}`, message: `may not be longer than ${limit} bytes` });
  },
};

const neq: Marker = {
  ...onValues,
  name: "k8s:neq",
  argument: value(anyElement),
  help: "A value that is not allowed.",
  apply(node, given) {
    const refused = node.schema.not?.enum ?? [];
    node.schema.not = { enum: [...refused, given] };
  },
};

const unique: Marker<string> = {
  ...onValues,
  name: "k8s:unique",
  argument: value(text),
  help: "set: all elements of an atomic list differ.",
  apply(node, kind) {
    if (kind !== "set") return node.misfit(`does not accept "${kind}"`, "use set, or +listType=map with +listMapKey");
    if (node.type !== "array") return node.misfit("needs a list", "remove the marker");
    addRule(node.schema, { rule: "self.all(x, self.exists_one(y, x == y))", message: "elements must be unique" });
  },
};

const monotonic: Marker<true> = {
  ...onValues,
  name: "k8s:monotonic",
  argument: noArgument,
  help: "A number that never decreases.",
  apply(node) {
    if (node.type !== "integer" && node.type !== "number")
      return node.misfit("needs a number", "remove the marker, or change the type");
    addRule(node.schema, { rule: "self >= oldSelf", message: "may not decrease" });
  },
};

/** The changes that `k8s:update` forbids, by their names. */
const updates: Readonly<Record<string, { of: "value" | "list"; rule(field: string): ValidationRule }>> = {
  NoSet: {
    of: "value",
    rule: (name) => ({
      rule: `${has(name, "oldSelf")} || !${has(name)}`,
      message: `field ${name} cannot be set later`,
    }),
  },
  NoUnset: {
    of: "value",
    rule: (name) => ({ rule: `!${has(name, "oldSelf")} || ${has(name)}`, message: `field ${name} cannot be removed` }),
  },
  NoModify: { of: "value", rule: () => ({ rule: "self == oldSelf", message: "field cannot be changed" }) },
  NoAddItem: {
    of: "list",
    rule: () => ({ rule: "self.all(x, x in oldSelf)", message: "elements cannot be added" }),
  },
  NoRemoveItem: {
    of: "list",
    rule: () => ({ rule: "oldSelf.all(x, x in self)", message: "elements cannot be removed" }),
  },
};

const update: ParentMarker<string> = {
  ...onFields,
  name: "k8s:update",
  argument: value(text),
  help: "A change that is forbidden: NoSet, NoUnset, NoModify, NoAddItem, NoRemoveItem; repeatable.",
  apply(node, kind) {
    const found = Object.hasOwn(updates, kind) ? updates[kind] : undefined;
    if (!found) return node.misfit(`does not accept "${kind}"`, `use one of ${Object.keys(updates).join(", ")}`);
    if (found.of === "list" && node.type !== "array" && node.type !== "object")
      return node.misfit("needs a list or a map", "use NoSet, NoUnset or NoModify");
    if (!ofParent(kind)) addRule(node.schema, found.rule(""));
  },
  ruleOfParent: (field, kind) => (ofParent(kind) ? updates[kind]?.rule(field) : undefined),
};

function ofParent(kind: string): boolean {
  return kind === "NoSet" || kind === "NoUnset";
}

const dependentRequired: ParentMarker<string> = dependent("k8s:dependentRequired", "required");
const dependentForbidden: ParentMarker<string> = dependent("k8s:dependentForbidden", "not allowed");

function dependent(name: string, words: "required" | "not allowed"): ParentMarker<string> {
  return {
    ...onFields,
    name,
    argument: value(text),
    help: `The named field is ${words} if this one is set: +${name}("other").`,
    ruleOfParent: (field, other) => ({
      rule: `!${has(field)} || ${words === "required" ? "" : "!"}${has(other)}`,
      message: `${other} is ${words} when ${field} is set`,
    }),
  };
}

/** Limits of the keys of a map, for which a schema has no keyword. */
const eachKey: Marker<string> = {
  ...onValues,
  name: "k8s:eachKey",
  argument: { shape: "raw", parse: (raw) => raw.trim() },
  help: "A limit of each key of a map: +k8s:format, +k8s:minLength or +k8s:maxLength.",
  apply(node, tag) {
    const [, name = "", limit = ""] = /^\+k8s:(\w+)=(.+)$/.exec(tag) ?? [];
    const rule = ruleOfKeys(name, limit.replace(/^"(.*)"$/, "$1"));
    if (node.type !== "object") return node.misfit("needs a map", "remove the marker");
    if (!rule) return node.misfit(`does not accept ${tag}`, "use +k8s:format, +k8s:minLength or +k8s:maxLength");
    addRule(node.schema, { rule: `self.all(key, ${rule.condition})`, message: `each key must ${rule.words}` });
  },
};

function ruleOfKeys(name: string, limit: string): { condition: string; words: string } | undefined {
  if (name === "maxLength" && /^\d+$/.test(limit))
    return { condition: `key.size() <= ${limit}`, words: `have at most ${limit} characters` };
  if (name === "minLength" && /^\d+$/.test(limit))
    return { condition: `key.size() >= ${limit}`, words: `have at least ${limit} characters` };
  const format = name === "format" ? tagFormats.get(limit) : undefined;
  if (!format) return undefined;
  const size = format.maxLength === undefined ? "" : `key.size() <= ${format.maxLength} && `;
  return { condition: `${size}key.matches(r'${format.pattern}')`, words: `have the format ${limit}` };
}

/** The tags of Kubernetes' own types that have no other spelling. */
export const tags: readonly Marker[] = [
  ...limitTags,
  maxBytes,
  formatTag,
  neq,
  unique,
  monotonic,
  update,
  dependentRequired,
  dependentForbidden,
  eachKey,
] as readonly Marker[];

/** Tags without a meaning in a CustomResourceDefinition, and what to write instead. */
export const otherTags: ReadonlyMap<string, string> = new Map([
  ["k8s:modeDiscriminator", 'write a union of types: { mode: "A"; a: string } | { mode: "B" }'],
  ["k8s:ifMode", 'write a union of types: { mode: "A"; a: string } | { mode: "B" }'],
  ["k8s:ifEnabled", "remove it: a CustomResourceDefinition has no feature gates"],
  ["k8s:ifDisabled", "remove it: a CustomResourceDefinition has no feature gates"],
  ["k8s:forbidden", "remove the field, or write `field?: never` in a branch of a union"],
  ["k8s:subfield", "put the marker on the field of the type"],
  ["k8s:item", "write +kubebuilder:validation:XValidation on the list"],
  ["k8s:customUnique", "write +kubebuilder:validation:XValidation on the list"],
  ["k8s:customValidation", "write +kubebuilder:validation:XValidation, or a validating webhook"],
  ["k8s:opaqueType", "remove it: it has a meaning only for Go types"],
  ["k8s:supportsSubresource", "write +kubebuilder:subresource:status or +kubebuilder:subresource:scale"],
  ["k8s:isSubresource", "remove it: a CustomResourceDefinition has only the subresources status and scale"],
  ["k8s:enumExclude", "leave the value out of the union of literals"],
]);

function has(name: string, self = "self"): string {
  return `has(${access([name], self)})`;
}
