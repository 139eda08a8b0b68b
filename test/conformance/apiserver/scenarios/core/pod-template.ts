import type { RequestStep, Scenarios } from "../../scenario.ts";
import { core, dry, patch } from "../../steps.ts";
import { POST } from "../../requests.ts";

const spec = { containers: [{ name: "c", image: "i:1" }] };
const create = (name: string, fields: object): RequestStep =>
  POST(`${core}/podtemplates`, { metadata: { name }, ...fields });

export const scenarios: Scenarios = {
  "pod-templates": [
    create("a", { template: { spec } }),
    patch(`${core}/podtemplates/a`, { template: { spec: { restartPolicy: "Never" } } }),
    dry(`${core}/podtemplates`, {}),
    dry(`${core}/podtemplates`, { template: { metadata: { labels: { "a b": "x" } }, spec } }),
  ],
};
