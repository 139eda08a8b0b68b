import type { Scenarios } from "../../scenario.ts";
import { DELETE, GET, POST } from "../../requests.ts";

const path = "/apis/apiregistration.k8s.io/v1/apiservices";
const group = "remote.aggregation.example.com";
const name = `v1.${group}`;
const spec = { group, version: "v1", groupPriorityMinimum: 1500, versionPriority: 10 };
const service = { name: "remote", namespace: "{ns}" };

/** APIServices: those that every cluster has, and one of another server, which is only stored. */
export const scenarios: Scenarios = {
  aggregation: [
    GET(`${path}?labelSelector=kube-aggregator.kubernetes.io/automanaged=onstart`, {
      pick: ({ items }) =>
        items
          .filter((each: any) => !each.metadata.name.includes("flowcontrol"))
          .map((each: any) => [each.metadata.name, each.metadata.labels, each.spec, each.status.conditions[0].reason]),
    }),
    GET(`${path}/v1.apps`),
    POST(path, { metadata: { name }, spec: { ...spec, service } }, { pick: ({ spec: stored }) => stored }),
    DELETE(`${path}/${name}`),
  ],
};
