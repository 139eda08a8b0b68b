import { bool, flag, int, list, text, type Argument } from "./argument.ts";
import { named, optional, required, switchOn, value, type Marker } from "./marker.ts";

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
  help: "The API version of the folder's kinds; by default, the name of the folder.",
};

export const skipPackage: Marker<true> = switchOn(
  "kubebuilder:skip",
  ["package"],
  "Excludes the folder: it is not an API version.",
);

export const external: Marker<true> = switchOn(
  "tsop:external",
  ["package"],
  "Another project defines the folder's kinds: they get Kind constants, but no CustomResourceDefinition.",
);

export const embeddedObjectMeta: Marker<boolean> = {
  name: "tsop:embeddedObjectMeta",
  targets: ["package"],
  argument: value(flag),
  help: "Metadata in the specs of the folder's kinds, such as in a pod template, has labels and annotations, which the server drops otherwise; =false accepts that, and silences the warning.",
};

export const maxDescLen: Marker<number> = {
  name: "tsop:maxDescLen",
  targets: ["package"],
  argument: value(int),
  help: "The longest description, in bytes, in the CustomResourceDefinitions of the folder's kinds; 0 leaves them all out.",
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
    groups: optional(list(text), 'API groups; "" or core for the core group'),
    resources: optional(list(text), "plural names; a subresource follows a slash"),
    resourceNames: optional(list(text), "only objects with these names"),
    urls: optional(list(text), "non-resource URLs"),
    verbs: required(list(text), "get, list, watch, create, update, patch, delete …"),
    namespace: optional(text, "a Role in this namespace instead of a ClusterRole"),
    roleName: optional(text, "the name of another role for this rule"),
  }),
  help: "A permission of the operator in the cluster.",
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
    mutating: required(bool, "true if the webhook may change objects, false if it only validates them"),
    failurePolicy: required(text, "fail or ignore: the result if the webhook cannot be called"),
    groups: required(list(text), "API groups"),
    resources: required(list(text), "plural names"),
    verbs: required(list(text), "create, update, delete, connect or *"),
    versions: required(list(text), "API versions"),
    name: required(text, "a name with at least three parts, such as mfoo.kb.io"),
    admissionReviewVersions: required(list(text), "usually v1"),
    path: optional(text, "the path that the operator serves"),
    url: optional(text, "a server outside the cluster, instead of path"),
    matchPolicy: optional(text, "Exact or Equivalent"),
    sideEffects: optional(text, "None or NoneOnDryRun"),
    timeoutSeconds: optional(int, "1 to 30"),
    serviceName: optional(text, "default: webhook-service"),
    serviceNamespace: optional(text, "default: system"),
    servicePort: optional(int, "default: 443"),
    webhookVersions: optional(list(text), "v1"),
    reinvocationPolicy: optional(text, "Never or IfNeeded, for mutating webhooks"),
    patch: optional(text, "JSON that is merged into the result, for selectors and match conditions"),
  }),
  help: "An admission webhook that the operator serves.",
};

export const webhookConfiguration: Marker<{ mutating: boolean; name?: string }> = {
  name: "kubebuilder:webhookconfiguration",
  targets: ["package"],
  argument: named({
    mutating: required(bool, "true for the mutating configuration, false for the validating one"),
    name: optional(text, "its name"),
  }),
  help: "The name of the webhook configuration.",
};

const raw = { shape: "raw", parse: (source: string) => source } as const;

/** Markers that are accepted but have no effect in TypeScript; projects ported from Go keep them. */
export const goOnlyMarkers: readonly Marker[] = [
  goOnly("kubebuilder:object:generate", value(bool), "DeepCopy methods"),
  goOnly("k8s:deepcopy-gen", raw, "DeepCopy methods"),
  goOnly("k8s:deepcopy-gen:interfaces", raw, "DeepCopy methods"),
  goOnly("kubebuilder:ac:generate", value(bool), "apply configurations"),
  { ...goOnly("kubebuilder:ac:output:package", value(text), "apply configurations"), targets: ["package"] },
];

function goOnly(name: string, argument: Argument<unknown>, makes: string): Marker {
  return { name, targets: ["package", "type"], argument, help: `No effect; in Go, ${makes}.` };
}

/** Formats the marker of a permission: `+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list`. */
export function formatRbac(rule: {
  readonly group: string;
  /** With its subresource: `pods/exec`. */
  readonly resource: string;
  readonly verbs: readonly string[];
}): string {
  return `+kubebuilder:rbac:groups=${rule.group || '""'},resources=${rule.resource},verbs=${rule.verbs.join(";")}`;
}
