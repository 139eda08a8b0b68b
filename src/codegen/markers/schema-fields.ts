import { isObject } from "../../apimachinery/is-object.ts";
import { parseJsonObjectOrUndefined } from "../../apimachinery/parse-json-object.ts";
import { immutableText } from "../../apimachinery/tags.ts";
import { any, text } from "./argument.ts";
import { named, noArgument, optional, required, switchOn, value, type Marker } from "./marker.ts";
import { addRule } from "./validation.ts";

/** Markers for defaults, examples and texts of a schema, and for unknown fields. */
export const defaultValue: Marker = {
  name: "kubebuilder:default",
  targets: ["field"],
  argument: value(any),
  help: "The value that the server sets if the field is absent; maps are written {key: value}.",
  apply(node, given) {
    const emptyMap = isObject(given) && Object.keys(given).length === 0;
    node.schema.default = node.type === "array" && emptyMap ? [] : given;
  },
};

export const jsonDefault: Marker<string> = {
  name: "default",
  targets: ["field"],
  argument: { shape: "raw", parse: (raw) => raw },
  help: "The same as kubebuilder:default, written as JSON.",
  priority: 9,
  apply(node, json) {
    // Go types refer to constants with ref(...), which cannot be resolved here.
    if (json.startsWith("ref(")) return;
    try {
      node.schema.default = JSON.parse(json);
    } catch {
      node.misfit(`needs JSON, not ${json}`, 'quote strings: +default="text"');
    }
  },
};

export const example: Marker = {
  name: "kubebuilder:example",
  targets: ["field"],
  argument: value(any),
  help: "An example value.",
  apply(node, given) {
    node.schema.example = given;
  },
};

export const title: Marker = {
  name: "kubebuilder:title",
  targets: ["field", "type"],
  argument: value(any),
  help: "A short title.",
  apply(node, given) {
    if (typeof given !== "string") return node.misfit("needs a string", 'quote it: "…"');
    node.schema.title = given;
  },
};

export const externalDocs: Marker<{ url: string; description?: string }> = {
  name: "kubebuilder:externalDocs",
  targets: ["field", "type"],
  argument: named({
    url: required(text, "an absolute URL"),
    description: optional(text, "the description of the link"),
  }),
  help: "A link to more documentation.",
  apply(node, { url, description }) {
    if (!/^[A-Za-z][\w+.-]*:/.test(url))
      return node.misfit(`needs an absolute URL, not ${url}`, "start it with https://");
    node.schema.externalDocs = description ? { description, url } : { url };
  },
};

export const nullable: Marker<true> = switchOn(
  "nullable",
  ["field"],
  "Allows null; `T | null` has the same effect.",
  "nullable",
);

export const embeddedResourceField: Marker<true> = switchOn(
  "kubebuilder:validation:EmbeddedResource",
  ["field"],
  "The same as XEmbeddedResource.",
  "x-kubernetes-embedded-resource",
);

export const preserveUnknownFields: Marker<true> = switchOn(
  "kubebuilder:pruning:PreserveUnknownFields",
  ["field", "type"],
  "Keeps fields that the schema does not define.",
  "x-kubernetes-preserve-unknown-fields",
);

/** Keywords that neither a type nor a marker of its own expresses. */
export const schemaJson: Marker<string> = {
  name: "tsop:schema",
  targets: ["field", "type"],
  argument: { shape: "raw", parse: (raw) => raw },
  help: "Keywords of the schema, as a JSON object: anyOf, oneOf, not and others that have no marker.",
  priority: 99,
  apply(node, json) {
    const keywords = parseJsonObjectOrUndefined(json);
    if (!keywords)
      return node.misfit(`needs a JSON object, not ${json}`, 'write +tsop:schema={"not":{"required":["a"]}}');
    Object.assign(node.schema, keywords);
  },
};

export const schemaless: Marker<true> = switchOn(
  "kubebuilder:validation:Schemaless",
  ["field"],
  "Ignores the field's type: only the other markers define its schema.",
);

export const immutable: Marker<true> = {
  name: "k8s:immutable",
  targets: ["field"],
  argument: noArgument,
  help: "The field cannot change after it is set.",
  apply(node) {
    addRule(node.schema, { rule: "self == oldSelf", message: immutableText });
  },
};

export const constantsEnum: Marker<true> = {
  name: "k8s:enum",
  targets: ["type"],
  argument: noArgument,
  help: "Sorts the values of a union of literals. In Go, the values are the package's constants.",
  apply(node) {
    if (!node.schema.enum) node.misfit("finds no values", 'write the type as a union: "A" | "B"');
    else node.schema.enum = node.schema.enum.map(String).sort();
  },
};

/**
 * Markers that make a field required or optional. They override the `?` of TypeScript, as they override omitempty in
 * Go.
 */
export const requiredMarkers: readonly Marker<true>[] = presence("Required", "The field must be present.");
export const optionalMarkers: readonly Marker<true>[] = presence("Optional", "The field may be absent.");

function presence(word: string, help: string): Marker<true>[] {
  const name = word.toLowerCase();
  return [
    switchOn(`kubebuilder:validation:${word}`, ["field", "package"], help),
    switchOn(name, ["field"], help),
    switchOn(`k8s:${name}`, ["field"], help),
  ];
}
