import type { RequestStep, Scenario } from "../../scenario.ts";
import { brief, core, create, events, remove, settles } from "./watching.ts";

const nodes = "/api/v1/nodes";
const pods = `${core}/pods`;
const taint = { key: "example.com/away", value: "now", effect: "NoExecute" };
/** A pod on a node without a kubelet, where it stays Pending. */
const pod = (name: string, ...tolerations: object[]): RequestStep =>
  create(pods, {
    metadata: { name },
    spec: { nodeName: "{ns}", containers: [{ name: "c", image: "image:1" }], tolerations },
  });
const { key, effect } = taint;
const isLeaving = ({ metadata }: any): boolean => metadata.deletionTimestamp;
const untilGone = { gracePeriodSeconds: 0 };

/** Pods that leave a tainted node. */
export const evictionScenarios: readonly Scenario[] = [
  {
    name: "controllers-taint-eviction",
    controllers: true,
    steps: [
      // The node is tainted from the beginning, so that the daemons of other scenarios stay away.
      create(nodes, { metadata: { name: "{ns}" }, spec: { taints: [taint] } }),
      pod("forever", { key, operator: "Exists" }),
      pod("long", { key, operator: "Exists", effect, tolerationSeconds: 3600 }),
      pod("first", { operator: "Exists" }, { key, operator: "Exists", tolerationSeconds: 0, effect }),
      pod("intolerant", { key, value: "later", effect }),
      pod("short", { key, value: "now", effect, tolerationSeconds: 2 }),
      settles(`${pods}/intolerant`, isLeaving),
      { advance: 3 },
      settles(`${pods}/short`, isLeaving),
      ...["forever", "long", "first"].map((name) => ({ request: `GET ${pods}/${name}`, pick: brief })),
      events({ TaintManagerEviction: 2 }),
      ...["intolerant", "short", "forever", "long", "first"].map((name) => remove(`${pods}/${name}`, untilGone)),
      remove(`${nodes}/{ns}`),
    ],
  },
];
