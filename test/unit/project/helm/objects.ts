import { loadAll } from "js-yaml";

type Json = any; // oxlint-disable-line typescript/no-explicit-any -- manifests of all kinds

/** The objects of a YAML text by kind and name. */
export function objectsOf(text: string): Map<string, Json> {
  const objects = (loadAll(text) as Json[]).filter(Boolean);
  const named = new Map(objects.map((one) => [`${one.kind} ${one.metadata.name}`, one]));
  if (named.size !== objects.length) throw new Error("an object exists twice");
  return named;
}

/**
 * Removes from Helm's objects that which the chart adds to all: the labels of the release, and the policy of CRDs. From
 * kustomize's objects, it removes the namespace, which Helm makes, kustomize's label, and an empty list of variables.
 */
export function normalize(objects: ReadonlyMap<string, Json>, release: string | undefined): Map<string, Json> {
  const entries = [...objects].filter(([, { kind }]) => kind !== "Namespace");
  return new Map(
    entries.map(([id, object]) => [id, release === undefined ? fromKustomize(object) : fromHelm(object, release)]),
  );
}

function fromKustomize(object: Json): Json {
  const { "app.kubernetes.io/managed-by": _kustomize, ...labels } = object.metadata.labels ?? {};
  return withMetadata(withoutEmptyEnv(object), labels, object.metadata.annotations ?? {});
}

function withoutEmptyEnv(object: Json): Json {
  return JSON.parse(JSON.stringify(object), (key, value) => (key === "env" && value.length === 0 ? undefined : value));
}

function fromHelm(object: Json, release: string): Json {
  const {
    "app.kubernetes.io/managed-by": manager,
    "app.kubernetes.io/instance": instance,
    "helm.sh/chart": chart,
    ...labels
  } = object.metadata.labels;
  const { "helm.sh/resource-policy": policy, ...annotations } = object.metadata.annotations ?? {};
  const found = [manager, instance, chart, policy];
  const wanted = ["Helm", release, `${release}-0.1.0`, object.kind === "CustomResourceDefinition" ? "keep" : undefined];
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`${object.kind}: labels ${JSON.stringify(found)}`);
  return withMetadata(object, labels, annotations);
}

function withMetadata(object: Json, labels: object, annotations: object): Json {
  return { ...object, metadata: { ...object.metadata, labels, annotations } };
}
