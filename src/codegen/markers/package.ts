import { bool, int, list, text } from "./argument.ts";
import { named, noArgument, optional, required, value, type Marker } from "./marker.ts";

/** Markers that apply to a folder, wherever in it they are written. */
export const groupName: Marker<string> = {
  name: "groupName",
  targets: ["package"],
  // The empty group is written as an empty value.
  argument: { shape: "raw", parse: (raw) => raw.trim().replace(/^"(.*)"$/, "$1") },
  help: "The API group of the folder's kinds.",
};

export const versionName: Marker<string> = {
  name: "versionName",
  targets: ["package"],
  argument: value(text),
  help: "The API version of the folder's kinds; the folder's name unless set.",
};

export const skipPackage: Marker<true> = {
  name: "kubebuilder:skip",
  targets: ["package"],
  argument: noArgument,
  help: "The folder is no API version.",
};

export const rbac: Marker<{
  groups?: string[];
  resources?: string[];
  resourceNames?: string[];
  urls?: string[];
  verbs: string[];
  namespace?: string;
  roleName?: string;
}> = {
  name: "kubebuilder:rbac",
  targets: ["package"],
  argument: named({
    groups: optional(list(text), 'API groups; "" or core is the core group'),
    resources: optional(list(text), "plural names, with a slash for subresources"),
    resourceNames: optional(list(text), "only objects of these names"),
    urls: optional(list(text), "paths that are no resources"),
    verbs: required(list(text), "get, list, watch, create, update, patch, delete …"),
    namespace: optional(text, "a Role in this namespace instead of a ClusterRole"),
    roleName: optional(text, "a role of its own"),
  }),
  help: "What the operator may do in the cluster.",
};

export const webhook: Marker<{
  mutating: boolean;
  failurePolicy: string;
  groups: string[];
  resources: string[];
  verbs: string[];
  versions: string[];
  name: string;
  admissionReviewVersions: string[];
  path?: string;
  url?: string;
  matchPolicy?: string;
  sideEffects?: string;
  timeoutSeconds?: number;
  serviceName?: string;
  serviceNamespace?: string;
  servicePort?: number;
  webhookVersions?: string[];
  reinvocationPolicy?: string;
  patch?: string;
}> = {
  name: "kubebuilder:webhook",
  targets: ["package"],
  argument: named({
    mutating: required(bool, "true may change objects, false only accepts or refuses"),
    failurePolicy: required(text, "fail or ignore: what holds when the webhook can't be reached"),
    groups: required(list(text), "API groups"),
    resources: required(list(text), "plural names"),
    verbs: required(list(text), "create, update, delete, connect or *"),
    versions: required(list(text), "API versions"),
    name: required(text, "a name with at least three parts, such as mfoo.kb.io"),
    admissionReviewVersions: required(list(text), "usually v1"),
    path: optional(text, "the path served by the operator"),
    url: optional(text, "a server outside the cluster, instead of path"),
    matchPolicy: optional(text, "Exact or Equivalent"),
    sideEffects: optional(text, "None or NoneOnDryRun"),
    timeoutSeconds: optional(int, "1 to 30"),
    serviceName: optional(text, "webhook-service unless set"),
    serviceNamespace: optional(text, "system unless set"),
    servicePort: optional(int, "443 unless set"),
    webhookVersions: optional(list(text), "v1"),
    reinvocationPolicy: optional(text, "Never or IfNeeded, for mutating webhooks"),
    patch: optional(text, "JSON merged over the result, for selectors and match conditions"),
  }),
  help: "An admission webhook the operator serves.",
};

export const webhookConfiguration: Marker<{ mutating: boolean; name?: string }> = {
  name: "kubebuilder:webhookconfiguration",
  targets: ["package"],
  argument: named({
    mutating: required(bool, "which of the two configurations"),
    name: optional(text, "its name"),
  }),
  help: "Names the webhook configuration.",
};

const raw = { shape: "raw", parse: (source: string) => source } as const;

/** Markers that are accepted but mean nothing in TypeScript; projects ported from Go keep them. */
export const goOnlyMarkers: readonly Marker[] = [
  {
    name: "kubebuilder:object:generate",
    targets: ["package", "type"],
    argument: value(bool),
    help: "Go only: DeepCopy methods.",
  },
  { name: "k8s:deepcopy-gen", targets: ["package", "type"], argument: raw, help: "Go only: DeepCopy methods." },
  {
    name: "k8s:deepcopy-gen:interfaces",
    targets: ["package", "type"],
    argument: raw,
    help: "Go only: DeepCopy methods.",
  },
  {
    name: "kubebuilder:ac:generate",
    targets: ["package", "type"],
    argument: value(bool),
    help: "Go only: apply configurations.",
  },
  {
    name: "kubebuilder:ac:output:package",
    targets: ["package"],
    argument: value(text),
    help: "Go only: apply configurations.",
  },
];
