import type { LabelSelector, ObjectMeta, UnstructuredObject } from "../../apimachinery/meta.ts";

/** OLM's description of an operator. Fields that tsop does not read are kept. */
export interface ClusterServiceVersion extends UnstructuredObject {
  metadata: ObjectMeta;
  spec: CsvSpec;
}

export interface CsvSpec {
  displayName?: string;
  version?: string;
  install?: InstallStrategy;
  installModes?: InstallMode[];
  customresourcedefinitions?: { owned?: CrdDescription[]; required?: CrdDescription[] };
  apiservicedefinitions?: { owned?: ApiServiceDescription[]; required?: ApiServiceDescription[] };
  webhookdefinitions?: WebhookDescription[];
  relatedImages?: RelatedImage[];
  minKubeVersion?: string;
  replaces?: string;
  skips?: string[];
  provider?: { name?: string; url?: string };
  keywords?: string[];
  maintainers?: { name?: string; email?: string }[];
  links?: { name?: string; url?: string }[];
  icon?: { base64data?: string; mediatype?: string }[];
  cleanup?: { enabled?: boolean };
  [field: string]: unknown;
}

interface InstallStrategy {
  strategy?: string;
  spec?: {
    deployments?: StrategyDeployment[] | null;
    permissions?: StrategyPermissions[];
    clusterPermissions?: StrategyPermissions[];
  };
}

export interface StrategyDeployment {
  name: string;
  label?: Record<string, string>;
  spec: DeploymentSpec;
}

export interface StrategyPermissions {
  serviceAccountName: string;
  rules: PolicyRule[];
}

export interface PolicyRule {
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
  verbs?: string[];
}

interface InstallMode {
  type: string;
  supported: boolean;
}

export interface CrdDescription {
  name: string;
  version: string;
  kind: string;
  displayName?: string;
  description?: string;
  resources?: { name?: string; kind: string; version: string }[];
  specDescriptors?: Descriptor[];
  statusDescriptors?: Descriptor[];
  [field: string]: unknown;
}

export interface Descriptor {
  path: string;
  displayName?: string;
  description?: string;
  "x-descriptors"?: string[];
}

interface ApiServiceDescription {
  name: string;
  group: string;
  version: string;
  kind: string;
  [field: string]: unknown;
}

export interface WebhookDescription {
  type: "MutatingAdmissionWebhook" | "ValidatingAdmissionWebhook" | "ConversionWebhook";
  generateName: string;
  admissionReviewVersions: string[];
  sideEffects: string;
  deploymentName?: string;
  conversionCRDs?: string[];
  [field: string]: unknown;
}

export interface RelatedImage {
  name: string;
  image: string;
}

export interface DeploymentSpec {
  selector?: LabelSelector;
  strategy?: object;
  template?: { metadata?: ObjectMeta; spec?: PodSpec };
  [field: string]: unknown;
}

export interface PodSpec {
  serviceAccountName?: string;
  containers?: Container[];
  initContainers?: Container[];
  volumes?: { name: string; [source: string]: unknown }[];
  [field: string]: unknown;
}

export interface Container {
  name: string;
  image?: string;
  env?: EnvVar[];
  resources?: { requests?: object; limits?: object };
  volumeMounts?: { name: string; mountPath: string; [field: string]: unknown }[];
  [field: string]: unknown;
}

export interface EnvVar {
  name: string;
  /** A text, unless YAML reads another scalar. */
  value?: string | number | boolean | null;
  valueFrom?: unknown;
}

/** Returns the pods that a CSV installs. */
export function podsOf({ spec }: Pick<ClusterServiceVersion, "spec">): PodSpec[] {
  return (spec.install?.spec?.deployments ?? []).map((deployment) => deployment.spec.template?.spec ?? {});
}

/** Returns the containers of a pod, with those that initialize it. */
export function containersOf({ containers = [], initContainers = [] }: PodSpec): Container[] {
  return [...containers, ...initContainers];
}

export const csvApiVersion = "operators.coreos.com/v1alpha1";
export const csvKind = "ClusterServiceVersion";
