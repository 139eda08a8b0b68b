import type { Container, EnvVar, PodSpec, StrategyDeployment } from "../csv/csv.ts";
import type { Deployment } from "./collect.ts";

/** Returns the Deployments as OLM installs them. OLM gives those in `served` the certificate of a webhook. */
export function strategyDeployments(
  deployments: readonly Deployment[],
  served: ReadonlySet<string>,
): StrategyDeployment[] {
  return deployments.map(({ metadata, spec }) => {
    const name = metadata.name ?? "";
    const pod = spec.template?.spec ?? {};
    const forOlm = watchTargetNamespaces(served.has(name) ? withoutWebhookCertificate(pod) : pod);
    const template = { ...spec.template, metadata: spec.template?.metadata ?? {}, spec: forOlm };
    return {
      name,
      ...(metadata.labels ? { label: metadata.labels } : {}),
      spec: { strategy: {}, ...spec, selector: spec.selector ?? null!, template },
    };
  });
}

/** OLM mounts its own certificate there, and a Pod cannot have two mounts at one path. */
const certificatePath = "/tmp/k8s-webhook-server/serving-certs";

function withoutWebhookCertificate(pod: PodSpec): PodSpec {
  const isCertificate = ({ mountPath }: { mountPath: string }): boolean =>
    mountPath.replace(/\/$/, "") === certificatePath;
  const all = [...(pod.initContainers ?? []), ...(pod.containers ?? [])];
  const mounts = all.flatMap(({ volumeMounts }) => volumeMounts ?? []);
  const dropped = new Set(mounts.filter(isCertificate).map(({ name }) => name));
  const kept = new Set(mounts.filter((mount) => !isCertificate(mount)).map(({ name }) => name));
  const strip = (container: Container): Container =>
    container.volumeMounts
      ? { ...container, volumeMounts: container.volumeMounts.filter((mount) => !isCertificate(mount)) }
      : container;
  return {
    ...pod,
    ...(pod.containers ? { containers: pod.containers.map(strip) } : {}),
    ...(pod.initContainers ? { initContainers: pod.initContainers.map(strip) } : {}),
    ...(pod.volumes ? { volumes: pod.volumes.filter(({ name }) => !dropped.has(name) || kept.has(name)) } : {}),
  };
}

/** Reads the watched namespaces from the annotation that OLM writes for the OperatorGroup. */
function watchTargetNamespaces(pod: PodSpec): PodSpec {
  const valueFrom = { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } };
  const watch = (variable: EnvVar): EnvVar =>
    variable.name === "WATCH_NAMESPACE" ? { name: variable.name, valueFrom } : variable;
  const withResources = (container: Container): Container => ({ resources: {}, ...container });
  return {
    ...pod,
    containers: (pod.containers ?? []).map((container) =>
      withResources(container.env ? { ...container, env: container.env.map(watch) } : container),
    ),
    ...(pod.initContainers ? { initContainers: pod.initContainers.map(withResources) } : {}),
  };
}
