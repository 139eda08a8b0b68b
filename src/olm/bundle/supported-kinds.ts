import type { UnstructuredObject } from "../../apimachinery/meta.ts";

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
