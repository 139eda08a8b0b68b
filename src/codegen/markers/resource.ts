import { bool, int, list, text } from "./argument.ts";
import { named, optional, required, switchOn, value, type Marker } from "./marker.ts";

/** Markers of a root type that shape its CustomResourceDefinition. */
export const resource: Marker<{
  path?: string;
  singular?: string;
  scope?: string;
  shortName?: string[];
  categories?: string[];
}> = {
  name: "kubebuilder:resource",
  targets: ["type"],
  argument: named({
    path: optional(text, "the plural name in URLs"),
    singular: optional(text, "the singular name for kubectl"),
    scope: optional(text, "Namespaced or Cluster"),
    shortName: optional(list(text), "short names for kubectl"),
    categories: optional(list(text), "groups of resources, such as all"),
  }),
  help: "Names and scope of the resource.",
};

export const statusSubresource: Marker<true> = switchOn(
  "kubebuilder:subresource:status",
  ["type"],
  "The status is written through its own subresource.",
);

export const scaleSubresource: Marker<{ specpath: string; statuspath: string; selectorpath?: string }> = {
  name: "kubebuilder:subresource:scale",
  targets: ["type"],
  argument: named({
    specpath: required(text, "the JSONPath of the desired replicas"),
    statuspath: required(text, "the JSONPath of the actual replicas"),
    selectorpath: optional(text, "the JSONPath of the label selector, a string"),
  }),
  help: "The resource can be scaled by kubectl scale and autoscalers.",
};

export const printColumn: Marker<{
  name: string;
  type: string;
  JSONPath: string;
  description?: string;
  format?: string;
  priority?: number;
}> = {
  name: "kubebuilder:printcolumn",
  targets: ["type"],
  argument: named({
    name: required(text, "the column header"),
    type: required(text, "integer, number, string, boolean or date"),
    JSONPath: required(text, "the JSONPath of the value, such as .status.phase"),
    description: optional(text, "the description of the column"),
    format: optional(text, "an OpenAPI format"),
    priority: optional(int, "0: always shown; greater: shown with -o wide"),
  }),
  help: "A column in the output of kubectl get.",
};

export const storageVersion: Marker<true> = switchOn(
  "kubebuilder:storageversion",
  ["type"],
  "Objects are stored in this version.",
);

export const unservedVersion: Marker<true> = switchOn(
  "kubebuilder:unservedversion",
  ["type"],
  "The server does not serve this version.",
);

export const deprecatedVersion: Marker<{ warning?: string }> = {
  name: "kubebuilder:deprecatedversion",
  targets: ["type"],
  argument: named({ warning: optional(text, "the text of the warning") }),
  help: "Clients of this version receive a warning.",
};

export const skipVersion: Marker<true> = switchOn(
  "kubebuilder:skipversion",
  ["type"],
  "Omits this version from the CustomResourceDefinition.",
);

export const selectableField: Marker<{ JSONPath: string }> = {
  name: "kubebuilder:selectablefield",
  targets: ["type"],
  argument: named({ JSONPath: required(text, "the JSONPath of the field, such as .spec.color") }),
  help: "A field that field selectors can use.",
};

export const metadata: Marker<{ annotations?: string[]; labels?: string[] }> = {
  name: "kubebuilder:metadata",
  targets: ["type"],
  argument: named({
    annotations: optional(list(text), "key=value pairs"),
    labels: optional(list(text), "key=value pairs"),
  }),
  help: "Annotations and labels of the CustomResourceDefinition itself.",
};

export const objectRoot: Marker<boolean> = {
  name: "kubebuilder:object:root",
  targets: ["type"],
  argument: value(bool),
  help: "The type is a kind: it gets a CustomResourceDefinition and a Kind constant.",
};
