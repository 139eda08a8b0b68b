import { customKind } from "../apiserver/custom-kind.ts";
import { merge, type RequestStep } from "../apiserver/scenario.ts";
import { pick, type Random } from "./mutate.ts";
import { randomDeleteOptions } from "./random-delete-options.ts";
import type { DeletedKind } from "./random-deletions.ts";
import { subjects } from "./subjects.ts";

const plainKind = customKind("plain");
export const plainCrd: any = plainKind.crd;

const metadata = { name: "a", labels: { app: "a" } };
const pods = "/api/v1/namespaces/{ns}/pods";
const podSpec = { containers: [{ name: "c", image: "i" }], terminationGracePeriodSeconds: 40 };
const podOf = (spec: object): object => ({ apiVersion: "v1", kind: "Pod", metadata, spec });
const podChanges = [
  { spec: { activeDeadlineSeconds: 5 } },
  { spec: { containers: [{ name: "c", image: "j" }] } },
  { spec: { terminationGracePeriodSeconds: 1 } },
  { status: { phase: "Running" } },
  { status: { phase: "Succeeded" } },
  { status: { phase: "Failed" } },
];
const budgets = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";
const claimSpec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };

/** Kinds whose objects end in different ways. */
export const deletedKinds: Readonly<Record<string, DeletedKind>> = {
  configmap: { ...subjects["configmap"]!, changes: [{ data: { a: "2" } }, { immutable: true }] },
  plain: { path: plainKind.path, object: plainKind.object("a"), changes: [{ spec: { x: "1" } }, { spec: { x: "2" } }] },
  rich: {
    ...subjects["rich"]!,
    acts: scale,
    changes: [{ spec: { count: 4 } }, { spec: { name: "xyz" } }, { status: { phase: "B" } }],
  },
  pod: { path: pods, object: podOf(podSpec), parts: ["status"], changes: podChanges, acts: actOfPod },
  boundpod: {
    path: pods,
    object: podOf({ ...podSpec, nodeName: "n" }),
    parts: ["status"],
    changes: podChanges,
    acts: actOfPod,
  },
  deployment: {
    ...subjects["deployment"]!,
    acts: scale,
    changes: [{ spec: { replicas: 3 } }, { spec: { paused: true } }, { status: { replicas: 1 } }],
  },
  job: { ...subjects["job"]!, changes: [{ spec: { suspend: true } }, { spec: { parallelism: 2 } }] },
  service: {
    // A real server creates a Service by an apply to its status.
    path: subjects["service"]!.path,
    object: subjects["service"]!.object,
    changes: [{ spec: { selector: { a: "b" } } }, { spec: { sessionAffinity: "ClientIP" } }],
  },
  serviceaccount: { ...subjects["serviceaccount"]!, changes: [{ automountServiceAccountToken: false }] },
  quota: {
    path: "/api/v1/namespaces/{ns}/resourcequotas",
    object: { apiVersion: "v1", kind: "ResourceQuota", metadata, spec: { hard: { pods: "100" } } },
    parts: ["status"],
    changes: [{ spec: { hard: { pods: "99" } } }, { status: { hard: { pods: "1" } } }],
  },
  priorityclass: {
    path: "/apis/scheduling.k8s.io/v1/priorityclasses",
    object: { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata, value: 5 },
    changes: [{ description: "d" }, { value: 6 }],
  },
  role: { ...subjects["role"]!, changes: [{ rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }] },
  ingress: { ...subjects["ingress"]!, changes: [{ spec: { ingressClassName: "c" } }] },
  lease: { ...subjects["lease"]!, changes: [{ spec: { holderIdentity: "i" } }] },
  budget: {
    ...subjects["budget"]!,
    parts: ["status"],
    changes: [{ spec: { minAvailable: 2 } }, { status: { disruptionsAllowed: 1 } }],
  },
  evicted: {
    path: pods,
    object: podOf({ ...podSpec, nodeName: "n" }),
    before: [
      {
        request: `POST ${budgets}`,
        body: { metadata: { name: "b" }, spec: { minAvailable: 1, selector: { matchLabels: { app: "a" } } } },
      },
      allow(2),
    ],
    parts: ["status"],
    changes: [{ status: running("True") }, { status: running("False") }, { status: { phase: "Succeeded" } }],
    acts: actOfEvicted,
    share: 0.5,
  },
  claim: {
    path: "/api/v1/namespaces/{ns}/persistentvolumeclaims",
    object: { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata, spec: claimSpec },
    parts: ["status"],
    settles: true,
    changes: [{ spec: { volumeName: "v" } }, { status: { phase: "Bound" } }, { status: { phase: "Lost" } }],
  },
  volume: {
    path: "/api/v1/persistentvolumes",
    object: {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata,
      spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/v" } },
    },
    isWhole: true,
    parts: ["status"],
    changes: [
      { spec: { storageClassName: "s" } },
      { status: { phase: "Available" } },
      { spec: { capacity: { storage: "2Gi" } } },
    ],
  },
};

function running(ready: string): object {
  return { phase: "Running", conditions: [{ type: "Ready", status: ready }] };
}

function allow(disruptionsAllowed: number): RequestStep {
  const status = { disruptionsAllowed, observedGeneration: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
  return { request: `PATCH ${budgets}/b/status`, headers: merge, body: { status } };
}

function actOfEvicted(at: string, random: Random): RequestStep {
  const chance = random();
  if (chance < 0.2) {
    const body = { status: running(random() < 0.7 ? "True" : "False") };
    return { request: `PATCH ${at}/status`, headers: merge, body };
  }
  if (chance < 0.3) return allow(Math.floor(random() * 3));
  if (chance < 0.35)
    return {
      request: `PATCH ${budgets}/b`,
      headers: merge,
      body: { spec: pick([{ unhealthyPodEvictionPolicy: "AlwaysAllow" }, { minAvailable: 2 }], random) },
    };
  if (chance < 0.4) return { request: `GET ${budgets}/b` };
  return actOfPod(at, random);
}

/** A real server changes managers if a Scale is written that changes nothing. */
function scale(at: string, random: Random): RequestStep {
  const replicas = 10 + Math.floor(random() * 90);
  return {
    request: `PATCH ${at}/scale${random() < 0.1 ? "?dryRun=All" : ""}`,
    headers: merge,
    body: { spec: { replicas } },
  };
}

function actOfPod(at: string, random: Random): RequestStep {
  const name = at.slice(at.lastIndexOf("/") + 1);
  if (random() < 0.3) {
    const body = { metadata: { name }, target: { kind: "Node", name: "n" } };
    return { request: `POST ${at}/binding`, body };
  }
  const { query, body } = randomDeleteOptions(random);
  const dry = query.filter((part) => part.startsWith("dryRun"));
  const eviction = {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name },
    ...(typeof body === "object" && { deleteOptions: body }),
  };
  return { request: `POST ${at}/eviction${dry.length > 0 ? `?${dry.join("&")}` : ""}`, body: eviction };
}
