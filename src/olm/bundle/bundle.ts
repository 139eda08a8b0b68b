import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ClusterServiceVersion } from "../csv/csv.ts";
import type { Crd } from "./crd.ts";

/** The files of a bundle by their path from its root, in its folder or in its image. */
export type BundleContent = ReadonlyMap<string, string>;

/** A bundle, loaded. */
export interface Bundle {
  readonly content: BundleContent;
  readonly annotations: Readonly<Record<string, string>>;
  /** Paths of the manifests. */
  readonly manifests: readonly string[];
  readonly csv: ClusterServiceVersion;
  readonly crds: readonly Crd[];
  /** All objects, CSV and CRDs included. */
  readonly objects: readonly UnstructuredObject[];
}

/** Keys of a bundle's annotations, which are also the labels of its image. */
export const annotationKeys = {
  mediaType: "operators.operatorframework.io.bundle.mediatype.v1",
  manifests: "operators.operatorframework.io.bundle.manifests.v1",
  metadata: "operators.operatorframework.io.bundle.metadata.v1",
  package: "operators.operatorframework.io.bundle.package.v1",
  channels: "operators.operatorframework.io.bundle.channels.v1",
  defaultChannel: "operators.operatorframework.io.bundle.channel.default.v1",
  builder: "operators.operatorframework.io.metrics.builder",
  metrics: "operators.operatorframework.io.metrics.mediatype.v1",
  layout: "operators.operatorframework.io.metrics.project_layout",
  testMediaType: "operators.operatorframework.io.test.mediatype.v1",
  testConfig: "operators.operatorframework.io.test.config.v1",
} as const;

/** Reports whether OLM installs objects of a kind from a bundle. OLM ignores the group. */
export function isSupported({ kind = "" }: Pick<UnstructuredObject, "kind">): boolean {
  return supportedKinds.has(kind);
}

const supportedKinds = new Set(
  (
    "ClusterServiceVersion CustomResourceDefinition ClusterRole ClusterRoleBinding Role RoleBinding Service " +
    "ServiceAccount ServiceMonitor PrometheusRule Secret ConfigMap NetworkPolicy PodDisruptionBudget PriorityClass " +
    "VerticalPodAutoscaler ConsoleYAMLSample ConsoleQuickStart ConsoleCLIDownload ConsoleLink ConsolePlugin"
  ).split(" "),
);
