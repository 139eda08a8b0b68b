import { checkNamespace } from "./check-namespace.ts";
import { checkPod, checkTemplate } from "./check-pod.ts";
import type { PodSecurityScope, SecuredWrite } from "./secured-write.ts";

/** The paths of the pods that controllers make. */
const templates: ReadonlyMap<string, readonly string[]> = new Map([
  ["/podtemplates", ["template"]],
  ["/replicationcontrollers", ["spec", "template"]],
  ["apps/daemonsets", ["spec", "template"]],
  ["apps/deployments", ["spec", "template"]],
  ["apps/replicasets", ["spec", "template"]],
  ["apps/statefulsets", ["spec", "template"]],
  ["batch/cronjobs", ["spec", "jobTemplate", "spec", "template"]],
  ["batch/jobs", ["spec", "template"]],
]);

/**
 * Rejects pods that violate the level of their namespace, and wrong labels of namespaces; warns of controllers whose
 * pods would be rejected. It is the admission plugin PodSecurity, as it is configured by default.
 */
export function enforcePodSecurity(scope: PodSecurityScope, write: SecuredWrite): void {
  const key = `${write.resource.group}/${write.resource.plural}`;
  if (key === "/pods") return checkPod(scope, write);
  if (key === "/namespaces") return checkNamespace(scope, write);
  const path = templates.get(key);
  if (path) checkTemplate(scope, write, path);
}
