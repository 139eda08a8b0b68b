import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { dropEmpty } from "../csv/drop-empty.ts";

/**
 * Returns an object as the Go tool writes it into a bundle: without its namespace, which the installation chooses, and,
 * for kinds with a Go type, with the fields that the type always has.
 */
export function typedForm(object: UnstructuredObject): UnstructuredObject {
  const { namespace: _, ...metadata } = object.metadata;
  const complete = completions[object.kind ?? ""];
  const isKnown = complete && knownGroups.test(object.apiVersion ?? "");
  if (!isKnown) return { ...object, metadata };
  const typed = dropEmpty({ ...object, metadata });
  return {
    ...typed,
    ...complete({ ...object, ...typed }),
    metadata: { ...typed.metadata, creationTimestamp: object.metadata.creationTimestamp ?? null! },
  };
}

/** Adds the storage that the Go type of a scorecard configuration always has. */
export function typedScorecardConfig(config: UnstructuredObject): UnstructuredObject {
  const stages = (config["stages"] ?? []) as { tests?: object[] }[];
  return {
    ...config,
    storage: config["storage"] ?? noStorage,
    stages: stages.map((stage) => ({
      ...stage,
      tests: (stage.tests ?? []).map((test) => ({ storage: noStorage, ...test })),
    })),
  };
}

const noStorage = { spec: { mountPath: {} } };

const knownGroups = /^(v1|rbac\.authorization\.k8s\.io\/v1|apiextensions\.k8s\.io\/v1(beta1)?)$/;

type Complete = (object: UnstructuredObject) => Record<string, unknown>;

/** An empty list of rules stays one, and an absent one is null. */
const role: Complete = ({ rules }) => ({ rules: rules ?? null });
const asIs: Complete = () => ({});

const completions: Readonly<Record<string, Complete>> = {
  Role: role,
  ClusterRole: role,
  RoleBinding: asIs,
  ClusterRoleBinding: asIs,
  ServiceAccount: asIs,
  Service: ({ spec, status }) => ({ spec: servicePorts(spec), status: { loadBalancer: {}, ...(status as object) } }),
  CustomResourceDefinition: ({ status }) => ({
    status: { acceptedNames: { kind: "", plural: "" }, conditions: null, storedVersions: null, ...(status as object) },
  }),
};

/** Adds the target port, which is never empty in Go. */
function servicePorts(spec: unknown): object {
  const { ports, ...rest } = (spec ?? {}) as { ports?: object[] };
  return ports ? { ...rest, ports: ports.map((port) => ({ targetPort: 0, ...port })) } : rest;
}
