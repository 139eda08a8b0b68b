import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import type { IntOrString, KubeObject, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { Pod } from "../context/simulated-kinds.ts";

export interface Service extends KubeObject {
  spec: {
    type?: "ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName";
    clusterIP?: string;
    selector?: Record<string, string>;
    publishNotReadyAddresses?: boolean;
    ports?: ServicePort[];
  };
  status?: { loadBalancer?: object };
}

export interface ServicePort {
  name?: string;
  port: number;
  protocol?: string;
  targetPort?: IntOrString;
}

export const ServiceKind: Kind<Service> = defineKind({
  group: "",
  version: "v1",
  kind: "Service",
  plural: "services",
  subresources: ["status"],
});

export const EndpointsKind: Kind<UnstructuredObject> = defineKind({
  group: "",
  version: "v1",
  kind: "Endpoints",
  plural: "endpoints",
});

export const EndpointSliceKind: Kind<UnstructuredObject> = defineKind({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  plural: "endpointslices",
});

/** Returns the labels of a service's endpoints: those of the service, and one if it is headless. */
export function serviceLabels({ metadata, spec }: Service): Record<string, string> {
  return { ...metadata.labels, ...(spec.clusterIP === "None" && { "service.kubernetes.io/headless": "" }) };
}

/** Returns the ports of the endpoints. A target port may be the name of a container port. */
export function portsOf({ spec }: Service, [pod]: readonly Pod[]): object[] {
  return (spec.ports ?? []).map(({ name, port, protocol = "TCP", targetPort = port }) => {
    const number = typeof targetPort === "number" ? targetPort : containerPort(pod, targetPort);
    return { name: name ?? "", ...(number !== undefined && { port: number }), protocol };
  });
}

function containerPort(pod: Pod | undefined, wanted: string): number | undefined {
  const ports = (pod?.spec.containers ?? []).flatMap(
    (container) => (container["ports"] ?? []) as { name?: string; containerPort: number }[],
  );
  return ports.find(({ name }) => name === wanted)?.containerPort;
}

export function podReference({ metadata: { name, namespace, uid } }: Pod): object {
  return { kind: "Pod", name, namespace, uid };
}

export function podIp(pod: Pod): string | undefined {
  return pod.status?.["podIP"] as string | undefined;
}
