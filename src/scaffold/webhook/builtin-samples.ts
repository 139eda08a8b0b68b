import type { Resource } from "../../project/project.ts";

/**
 * The least that the API server takes as an object of a built-in kind, but for its metadata, as TypeScript. Only kinds
 * that often have webhooks are known; `undefined` for others.
 */
export function builtinSample({ group, kind }: Resource): string | undefined {
  return samples[`${group}/${kind}`];
}

const pod = '{ containers: [{ name: "main", image: "example.com/image:v1" }] }';
const jobPod = pod.replace("{ ", '{ restartPolicy: "Never", ');
const workload = `{
  spec: {
    selector: { matchLabels: { app: "test" } },
    template: {
      metadata: { labels: { app: "test" } },
      spec: ${pod},
    },
  },
}`;

const samples: Readonly<Record<string, string>> = {
  "apps/DaemonSet": workload,
  "apps/Deployment": workload,
  "apps/ReplicaSet": workload,
  "apps/StatefulSet": workload,
  "batch/Job": `{\n  spec: { template: { spec: ${jobPod} } },\n}`,
  "core/ConfigMap": "{}",
  "core/Pod": `{ spec: ${pod} }`,
  "core/Secret": "{}",
  "core/Service": "{ spec: { ports: [{ port: 80 }] } }",
  "core/ServiceAccount": "{}",
};
