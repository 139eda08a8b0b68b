import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ClusterServiceVersion } from "./csv.ts";

/** The fields of a value, or of the items of a list. `true` is a value that is not looked into. */
type Fields = true | { readonly [field: string]: Fields };

/**
 * Drops the fields that Go's type of a ClusterServiceVersion does not have, and reports them. Names that differ in
 * their case are the same to Go, and get the right one.
 */
export function dropUnknownFields(
  csv: ClusterServiceVersion,
  what: string,
  warn: (text: string) => void,
): ClusterServiceVersion {
  return drop(csv, csvFields, { what, owner: "a ClusterServiceVersion", warn });
}

/** Drops the fields that Go's type of a scorecard configuration does not have, and says so. */
export function dropUnknownScorecardFields(
  config: UnstructuredObject,
  warn: (text: string) => void,
): UnstructuredObject {
  const { name = "" } = config.metadata;
  return drop(config, scorecardFields, { what: `Configuration ${name}`, owner: "a scorecard configuration", warn });
}

interface Dropping {
  readonly what: string;
  readonly owner: string;
  readonly warn: (text: string) => void;
}

function drop<T extends object>(object: T, fields: Fields, { what, owner, warn }: Dropping): T {
  const dropped: string[] = [];
  const known = keepKnown(object, fields, { path: "", dropped }) as T;
  if (dropped.length > 0) warn(`${what}: dropped what ${owner} does not have: ${dropped.join(", ")}`);
  return known;
}

function keepKnown(value: unknown, fields: Fields, at: { path: string; dropped: string[] }): unknown {
  if (fields === true || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => keepKnown(item, fields, { ...at, path: `${at.path}[${index}]` }));
  }
  const entries = Object.entries(value).flatMap(([key, member]) => {
    const name = Object.hasOwn(fields, key) ? key : Object.keys(fields).find((field) => sameName(field, key));
    const path = at.path ? `${at.path}.${key}` : key;
    if (name !== undefined) return [[name, keepKnown(member, fields[name]!, { ...at, path })]];
    at.dropped.push(path);
    return [];
  });
  return Object.fromEntries(entries) as unknown;
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

const metadata = fieldsOf(`
  name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp
  deletionGracePeriodSeconds labels annotations ownerReferences finalizers managedFields
`);
const descriptors = fieldsOf("path displayName description x-descriptors value");
const described = {
  ...fieldsOf("name version kind displayName description"),
  resources: fieldsOf("name kind version"),
  specDescriptors: descriptors,
  statusDescriptors: descriptors,
  actionDescriptors: descriptors,
};
const apiService = { ...described, ...fieldsOf("group deploymentName containerPort") };
const permissions = {
  serviceAccountName: true,
  rules: fieldsOf("verbs apiGroups resources resourceNames nonResourceURLs"),
} as const;

const csvFields: Fields = {
  ...fieldsOf("apiVersion kind status"),
  metadata,
  spec: {
    ...fieldsOf("version release maturity minKubeVersion displayName description keywords replaces labels annotations"),
    ...fieldsOf("skips"),
    selector: fieldsOf("matchLabels matchExpressions"),
    install: {
      strategy: true,
      spec: { deployments: fieldsOf("name label spec"), permissions, clusterPermissions: permissions },
    },
    customresourcedefinitions: { owned: described, required: described },
    apiservicedefinitions: { owned: apiService, required: apiService },
    webhookdefinitions: fieldsOf(`
      generateName type deploymentName containerPort targetPort rules failurePolicy matchPolicy objectSelector sideEffects
      timeoutSeconds admissionReviewVersions reinvocationPolicy webhookPath conversionCRDs
    `),
    nativeAPIs: fieldsOf("group version kind"),
    maintainers: fieldsOf("name email"),
    provider: fieldsOf("name url"),
    links: fieldsOf("name url"),
    icon: fieldsOf("base64data mediatype"),
    installModes: fieldsOf("type supported"),
    relatedImages: fieldsOf("name image"),
    cleanup: fieldsOf("enabled"),
  },
};

const storage = { spec: { mountPath: fieldsOf("path") } };
const scorecardFields: Fields = {
  ...fieldsOf("apiVersion kind serviceaccount"),
  metadata,
  storage,
  stages: { parallel: true, tests: { ...fieldsOf("image uniqueID entrypoint labels"), storage } },
};

function fieldsOf(names: string): { readonly [field: string]: true } {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, true as const]),
  );
}
