import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { Condition, KubeObject, LabelSelector, UnstructuredObject } from "../../apimachinery/meta.ts";

// The kinds of the Operator Lifecycle Manager, with the fields that tsop reads or writes.

export interface CatalogSource extends KubeObject {
  spec: {
    sourceType: string;
    address?: string;
    image?: string;
    displayName?: string;
    publisher?: string;
    secrets?: string[];
    grpcPodConfig?: { securityContextConfig?: string };
  };
  status?: {
    message?: string;
    reason?: string;
    connectionState?: { address?: string; lastConnect?: string; lastObservedState: string };
    registryService?: { createdAt: string; protocol: string };
  };
}

export interface Subscription extends KubeObject {
  spec: {
    name: string;
    channel?: string;
    source: string;
    sourceNamespace: string;
    startingCSV?: string;
    installPlanApproval?: "Automatic" | "Manual";
  };
  status?: {
    state?: string;
    currentCSV?: string;
    installedCSV?: string;
    installPlanGeneration?: number;
    installPlanRef?: ObjectReference;
    installplan?: { apiVersion: string; kind: string; name: string; uuid: string };
    catalogHealth?: { catalogSourceRef: object; healthy: boolean; lastUpdated: string }[];
    conditions?: (Omit<Condition, "lastTransitionTime" | "reason" | "message"> & Partial<Condition>)[];
    lastUpdated: string;
  };
}

export interface ObjectReference {
  apiVersion: string;
  kind: string;
  namespace: string;
  name: string;
  uid: string;
  resourceVersion?: string;
}

export interface InstallPlan extends KubeObject {
  spec: { approval: string; approved: boolean; clusterServiceVersionNames: string[]; generation?: number };
  status?: {
    phase: string;
    message?: string;
    catalogSources: string[];
    startTime?: string;
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
    plan?: InstallStep[];
    /** The account of the OperatorGroup, whose permissions the plan has. */
    bundleLookups?: { identifier?: string; path?: string; conditions?: (Partial<Condition> & { type: string })[] }[];
  };
}

export interface InstallStep {
  resolving: string;
  status: "Unknown" | "NotPresent" | "Present" | "Created";
  resource: {
    group: string;
    version: string;
    kind: string;
    name: string;
    sourceName: string;
    sourceNamespace: string;
    /** The object as JSON. */
    manifest?: string;
  };
}

export interface OperatorGroup extends KubeObject {
  spec?: {
    targetNamespaces?: string[];
    selector?: LabelSelector;
    upgradeStrategy?: string;
  };
  status?: {
    lastUpdated: string;
    namespaces?: string[];
    conditions?: Condition[];
  };
}

export interface PolicyRule {
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
  verbs: string[];
}

export interface WebhookDescription {
  type: "MutatingAdmissionWebhook" | "ValidatingAdmissionWebhook" | "ConversionWebhook";
  generateName: string;
  deploymentName?: string;
  containerPort?: number;
  targetPort?: number | string;
  webhookPath?: string;
  conversionCRDs?: string[];
  [field: string]: unknown;
}

interface ApiDescription {
  name: string;
  version: string;
  kind: string;
}

export interface CsvObject extends KubeObject {
  spec: {
    displayName?: string;
    version?: string;
    replaces?: string;
    skips?: string[];
    minKubeVersion?: string;
    installModes?: { type: string; supported: boolean }[];
    install?: {
      strategy?: string;
      spec?: {
        deployments?: { name: string; label?: Record<string, string>; spec: DeploymentSpec }[];
        permissions?: { serviceAccountName: string; rules: PolicyRule[] }[];
        clusterPermissions?: { serviceAccountName: string; rules: PolicyRule[] }[];
      };
    };
    customresourcedefinitions?: { owned?: ApiDescription[]; required?: ApiDescription[] };
    nativeAPIs?: { group: string; version: string; kind: string }[];
    webhookdefinitions?: WebhookDescription[];
  };
  status?: CsvStatus;
}

export interface DeploymentSpec {
  template: {
    metadata?: { annotations?: Record<string, string>; labels?: Record<string, string> };
    spec: { serviceAccountName?: string; containers: ContainerSpec[]; volumes?: object[]; [field: string]: unknown };
  };
  [field: string]: unknown;
}

interface ContainerSpec {
  name: string;
  env?: { name: string; value?: string; valueFrom?: object }[];
  volumeMounts?: { name: string; mountPath: string }[];
  [field: string]: unknown;
}

export interface CsvStatus extends CsvPhase {
  lastUpdateTime: string;
  lastTransitionTime: string;
  cleanup?: object;
  requirementStatus?: RequirementStatus[];
  conditions?: (CsvPhase & { lastUpdateTime: string; lastTransitionTime: string })[];
}

export interface CsvPhase {
  phase: string;
  reason: string;
  message: string;
}

export interface RequirementStatus {
  group: string;
  version: string;
  kind: string;
  name: string;
  status: string;
  message: string;
  uuid?: string;
  dependents?: { group: string; version: string; kind: string; status: string; message?: string }[];
}

export const CatalogSourceKind: Kind<CatalogSource> = olm("CatalogSource", "catalogsources");
export const SubscriptionKind: Kind<Subscription> = olm("Subscription", "subscriptions");
export const InstallPlanKind: Kind<InstallPlan> = olm("InstallPlan", "installplans");
export const CsvKind: Kind<CsvObject> = olm("ClusterServiceVersion", "clusterserviceversions");
export const OperatorGroupKind: Kind<OperatorGroup> = olm("OperatorGroup", "operatorgroups", "v1");
export const OperatorConditionKind: Kind<UnstructuredObject> = olm("OperatorCondition", "operatorconditions", "v2");

function olm<T extends KubeObject>(kind: string, plural: string, version = "v1alpha1"): Kind<T> {
  return defineKind<T>({
    group: "operators.coreos.com",
    version,
    kind,
    plural,
    scope: "Namespaced",
    subresources: ["status"],
  });
}

/** The label of a copied CSV and of its roles, with the namespace of the original. */
export const copiedLabel = "olm.copiedFrom";
/** Annotation of a catalog source that `run bundle` made: the bundles in it, as JSON. */
export const injectedBundlesAnnotation = "operators.operatorframework.io/injected-bundles";
/** Annotation that names the pod that serves the catalog. */
export const registryPodAnnotation = "operators.operatorframework.io/registry-pod-name";
