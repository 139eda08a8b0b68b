import { merge, type RequestStep, type Scenario } from "../apiserver/scenario.ts";
import { pick, type Random } from "./mutate.ts";
import { deletion, dryDeletion, randomDeleteOptions } from "./random-delete-options.ts";

/** Objects that a server refuses to delete. */
const protectedPaths = [
  "/api/v1/namespaces/default",
  "/api/v1/namespaces/kube-system",
  "/api/v1/namespaces/kube-public",
  "/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical",
  "/apis/scheduling.k8s.io/v1/priorityclasses/system-cluster-critical",
];
/** Objects that a server would create again, or needs. */
const neededPaths = [
  "/api/v1/namespaces/kube-node-lease",
  "/api/v1/namespaces/default/services/kubernetes",
  "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
  "/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin",
  "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin",
  "/apis/apiregistration.k8s.io/v1/apiservices/v1.apps",
];
const metadata = [{ finalizers: ["a.io/f"] }, { labels: { a: "b" } }];

/** Generates deletions of objects that a server keeps: real ones of those that it protects, dry runs of the others. */
export function randomKept(name: string, random: Random): Scenario {
  return { name, steps: Array.from({ length: 10 }, () => request(random)) };
}

function request(random: Random): RequestStep {
  const options = randomDeleteOptions(random);
  const isProtected = random() < 0.6;
  const at = pick(isProtected ? protectedPaths : neededPaths, random);
  if (random() < 0.2)
    return {
      request: `PATCH ${at}?dryRun=All`,
      headers: merge,
      body: { metadata: pick(metadata, random) },
      pick: outline,
    };
  return { ...(isProtected ? deletion(at, options) : dryDeletion(at, options)), pick: outline };
}

/** Returns what a deletion changes: the servers are of different ages and versions. */
function outline(body: any): unknown {
  if (body.kind === "Status") return body;
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = body.metadata;
  return { kind: body.kind, deletionTimestamp, deletionGracePeriodSeconds, finalizers, phase: body.status?.phase };
}
