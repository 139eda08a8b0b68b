import { equalJson } from "../../apimachinery/equal.ts";
import { parseApiVersion } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { crdShape, webhookClientShape, type Crd, type WebhookClient } from "../bundle/crd.ts";
import { csvKind, type ClusterServiceVersion, type DeploymentSpec, type PolicyRule } from "../csv/csv.ts";
import { metadataShape, csvShape, deploymentShape, rulesShape } from "../csv/csv-shape.ts";
import { readShape, type Shape } from "../../apimachinery/read-shape.ts";

/** The input of a bundle, sorted by purpose. */
export interface Collection {
  readonly csvs: ClusterServiceVersion[];
  readonly roles: Role[];
  readonly clusterRoles: Role[];
  readonly roleBindings: Binding[];
  readonly clusterRoleBindings: Binding[];
  readonly serviceAccounts: UnstructuredObject[];
  readonly services: Service[];
  readonly deployments: Deployment[];
  readonly crds: Crd[];
  readonly mutatingWebhooks: Webhook[];
  readonly validatingWebhooks: Webhook[];
  readonly scorecardConfigs: UnstructuredObject[];
  readonly others: UnstructuredObject[];
}

export interface Role extends UnstructuredObject {
  rules?: PolicyRule[];
}

export interface Binding extends UnstructuredObject {
  roleRef: { apiGroup?: string; kind: string; name: string };
  subjects?: { kind: string; name: string; namespace?: string }[];
}

export interface Service extends UnstructuredObject {
  spec?: {
    type?: string;
    selector?: Record<string, string>;
    ports?: { port: number; targetPort?: number | string }[];
    [field: string]: unknown;
  };
}

export interface Deployment extends UnstructuredObject {
  spec: DeploymentSpec;
}

export interface Webhook {
  name: string;
  clientConfig: WebhookClient;
  admissionReviewVersions?: string[];
  sideEffects?: string;
  [field: string]: unknown;
}

/** Sorts objects into a collection. A repeated object counts once; two that contradict each other are an error. */
export function collect(objects: readonly UnstructuredObject[]): Collection {
  const taken = new Set<UnstructuredObject>();
  const take = <T extends UnstructuredObject>(group: string, kind: string): T[] => {
    const found = objects.filter(
      (object) => parseApiVersion(object.apiVersion ?? "").group === group && object.kind === kind,
    );
    for (const object of found) taken.add(object);
    const name = ({ metadata }: UnstructuredObject): string => `${kind} ${metadata.name ?? ""}`;
    const shape = inputShapes[kind] ?? { "metadata!": metadataShape };
    return withoutRepeats(found.map((object) => readShape(object, shape, name(object), true) as T));
  };
  const hooks = (kind: string): Webhook[] =>
    take("admissionregistration.k8s.io", kind).flatMap(({ webhooks }) => (webhooks ?? []) as Webhook[]);
  const collection = {
    csvs: take<ClusterServiceVersion>("operators.coreos.com", csvKind),
    roles: unique(take<Role>(rbac, "Role")),
    clusterRoles: unique(take<Role>(rbac, "ClusterRole")),
    roleBindings: unique(take<Binding>(rbac, "RoleBinding")),
    clusterRoleBindings: unique(take<Binding>(rbac, "ClusterRoleBinding")),
    serviceAccounts: take("", "ServiceAccount"),
    services: take<Service>("", "Service"),
    deployments: unique(take<Deployment>("apps", "Deployment")),
    crds: checkVersions(unique(take<Crd>("apiextensions.k8s.io", "CustomResourceDefinition"))),
    mutatingWebhooks: hooks("MutatingWebhookConfiguration"),
    validatingWebhooks: hooks("ValidatingWebhookConfiguration"),
    scorecardConfigs: take(scorecard, "Configuration"),
  };
  return { ...collection, others: objects.filter((object) => !taken.has(object)) };
}

/** Returns the custom resources among `others`: those whose kind and version a collected CRD serves. */
export function customResources({ crds, others }: Pick<Collection, "crds" | "others">): UnstructuredObject[] {
  const served = new Set(
    crds.flatMap((crd) => servedVersions(crd).map((version) => `${crd.spec.group}/${version} ${crd.spec.names.kind}`)),
  );
  return withoutRepeats(others.filter(({ apiVersion, kind }) => served.has(`${apiVersion} ${kind}`)));
}

/** Returns the names of the versions that a CRD serves, in its order. */
export function servedVersions({ spec }: Crd): string[] {
  const single = spec.version === undefined ? [] : [{ name: spec.version, served: true }];
  return (spec.versions ?? single).filter(({ served }) => served).map(({ name }) => name);
}

/** Reports whether an object is a configuration of scorecard. */
export function isScorecardConfig({ apiVersion = "", kind }: UnstructuredObject): boolean {
  return kind === "Configuration" && parseApiVersion(apiVersion).group === scorecard;
}

const scorecard = "scorecard.operatorframework.io";
const rbac = "rbac.authorization.k8s.io";

function withoutRepeats<T>(list: readonly T[]): T[] {
  return list.filter((item, index) => !list.slice(0, index).some((other) => equalJson(other, item)));
}

/** Keeps the last object of each name, silently, as the Go tool does. */
function unique<T extends UnstructuredObject>(objects: T[]): T[] {
  const seen = new Set<string>();
  for (const { kind, metadata } of objects) {
    const what = `${kind} ${[metadata.namespace, metadata.name].filter(Boolean).join("/")}`;
    if (seen.has(what)) throw new TsopError("TSOP_BUNDLE_TWICE", { what });
    seen.add(what);
  }
  return objects;
}

function checkVersions(crds: Crd[]): Crd[] {
  for (const { apiVersion = "", metadata } of crds) {
    if (!/\/v1(beta1)?$/.test(apiVersion)) {
      throw new TsopError("TSOP_BUNDLE_CRD_VERSION", { name: metadata.name ?? "", apiVersion });
    }
  }
  return crds;
}

const role: Shape = { "metadata!": metadataShape, rules: rulesShape };
const binding: Shape = {
  "metadata!": metadataShape,
  "roleRef!": { apiGroup: "text", "kind!": "text", "name!": "text" },
  subjects: [{ "kind!": "text", "name!": "text", namespace: "text" }],
};
const webhooks: Shape = {
  webhooks: [
    {
      "name!": "text",
      "clientConfig!": webhookClientShape,
      admissionReviewVersions: ["text"],
      sideEffects: "text",
    },
  ],
};

const storage: Shape = { spec: { mountPath: { path: "text" } } };
const test: Shape = { image: "text", uniqueID: "text", entrypoint: ["text"], labels: "texts", storage };

/** The shapes of an operator's manifests by kind, as far as a bundle uses them. */
export const inputShapes: Readonly<Record<string, Shape>> = {
  ClusterServiceVersion: csvShape,
  CustomResourceDefinition: crdShape,
  Role: role,
  ClusterRole: role,
  RoleBinding: binding,
  ClusterRoleBinding: binding,
  Service: {
    "metadata!": metadataShape,
    spec: { type: "text", selector: "texts", ports: [{ "port!": "number" }] },
  },
  Deployment: { "metadata!": metadataShape, "spec!": deploymentShape },
  MutatingWebhookConfiguration: webhooks,
  ValidatingWebhookConfiguration: webhooks,
  Configuration: {
    "metadata!": metadataShape,
    stages: [{ parallel: "boolean", tests: [test] }],
    storage,
    serviceaccount: "text",
  },
};
