import type { RequestStep, Scenarios } from "../../scenario.ts";
import { core, dry, maps } from "../../steps.ts";
import { POST } from "../../requests.ts";

const create = (path: string, body: object): RequestStep => POST(path, body);
const nameless = { metadata: { name: null } };
const spec = { containers: [{ name: "c", image: "i" }] };

export const scenarios: Scenarios = {
  "names-of-null": [
    create(maps, nameless),
    create(maps, { metadata: { name: null, generateName: null, namespace: null, labels: null } }),
    create(maps, { metadata: null }),
    create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", nameless),
    create("/apis/rbac.authorization.k8s.io/v1/clusterroles", nameless),
    create(`${core}/pods`, { ...nameless, spec }),
    create(`${core}/services?dryRun=All`, { ...nameless, spec: { ports: [{ port: 80 }] } }),
    ...["v1", "a/b", "a/b/c", "", "/", "a/"].map((apiVersion) =>
      dry(maps, { metadata: { name: "o", ownerReferences: [{ apiVersion, kind: "K", name: "n", uid: "u" }] } }),
    ),
    create(maps, { metadata: { name: "V_", resourceVersion: "7" } }),
  ],
  // Words that JavaScript finds in any object.
  "words-of-objects": ["constructor", "toString", "__proto__"].flatMap((word) => [
    dry(`${core}/secrets`, { type: word }),
    dry("/apis/batch/v1/namespaces/{ns}/cronjobs", {
      spec: { schedule: word, jobTemplate: { spec: { template: { spec: { ...spec, restartPolicy: "Never" } } } } },
    }),
    dry("/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers", {
      spec: {
        maxReplicas: 2,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
        metrics: [{ type: word }],
      },
    }),
  ]),
};
