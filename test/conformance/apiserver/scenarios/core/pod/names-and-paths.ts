import type { RequestStep, Scenarios } from "../../../scenario.ts";
import { core, dry } from "../../../steps.ts";

const container = { name: "c", image: "i" };
const pod = (spec: object): RequestStep => dry(`${core}/pods`, { spec: { containers: [container], ...spec } });
const name = { fieldRef: { fieldPath: "metadata.name" } };
const downward = (...paths: readonly string[]): object => ({
  downwardAPI: { items: paths.map((path) => ({ path, ...name })) },
});
const config = (source: string, ...paths: readonly string[]): object => ({
  configMap: { name: source, ...(paths.length > 0 && { items: paths.map((path) => ({ key: "k", path })) }) },
});
const secret = (source: string, ...paths: readonly string[]): object => ({
  secret: { name: source, items: paths.map((path) => ({ key: "k", path })) },
});
const projected = (...sources: readonly object[]): RequestStep =>
  pod({ volumes: [{ name: "v", projected: { sources } }] });

export const scenarios: Scenarios = {
  "pods-empty-words": [
    pod({ runtimeClassName: "A_B" }),
    pod({ runtimeClassName: "a".repeat(254) }),
    pod({ runtimeClassName: null }),
    pod({ priorityClassName: "" }),
    pod({ schedulerName: "" }),
    pod({ serviceAccountName: "" }),
    pod({ nodeName: "" }),
    pod({ hostname: "" }),
    pod({ subdomain: "" }),
    dry("/apis/apps/v1/namespaces/{ns}/deployments", {
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [container], runtimeClassName: "" } },
      },
    }),
  ],
  "pods-projected-paths": [
    projected(downward("a", "a")),
    projected(downward("a"), downward("a")),
    projected(downward("a"), config("x", "a")),
    projected(config("x", "a"), downward("a")),
    projected(config("x", "a", "a")),
    projected(config("x", "a"), config("y", "a")),
    projected(secret("x", "a"), secret("y", "a")),
    projected(secret("x", "a", "a")),
    projected(secret("x", "a"), config("y", "a")),
    projected(secret("x", "a"), config("y", "a"), downward("a", "b", "a")),
    projected(downward("a"), downward("a/b")),
    projected(downward("a", "./a")),
    pod({ volumes: [{ name: "v", ...downward("a", "a") }] }),
    pod({
      volumes: [
        {
          name: "v",
          configMap: {
            name: "x",
            items: [
              { key: "a", path: "p" },
              { key: "b", path: "p" },
            ],
          },
        },
      ],
    }),
  ],
};
