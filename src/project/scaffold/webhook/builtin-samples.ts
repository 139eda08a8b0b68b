import type { Resource } from "../../project.ts";

/**
 * Returns the smallest valid object of a built-in kind without its metadata, as TypeScript; `undefined` for kinds that
 * rarely have webhooks.
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
