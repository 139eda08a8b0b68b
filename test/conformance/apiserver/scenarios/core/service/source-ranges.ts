import { merge, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { core, dry, refusal } from "../../../steps.ts";
import { PATCH, POST } from "../../../requests.ts";

const ranges = "service.beta.kubernetes.io/load-balancer-source-ranges";
const noted = (text: string, spec: object = { type: "LoadBalancer" }): RequestStep =>
  dry(`${core}/services`, {
    metadata: { name: "a", annotations: { [ranges]: text } },
    spec: { ports: [{ port: 80 }], ...spec },
  });
const update = (body: object): RequestStep => PATCH(`${core}/services/s?dryRun=All`, merge, body, { pick: refusal });

export const scenarios: Scenarios = {
  "annotations-source-ranges": [
    ...[
      "10.0.0.0/8",
      "10.0.0.0/8, 11.0.0.0/8",
      " 10.0.0.0/8 ",
      "10.0.0.0/8,",
      "10.1.2.3/8",
      "010.0.0.0/8",
      "2001:DB8::/64",
      "x",
      "x,10.0.0.0/8,y",
      "",
      " ",
    ].map((text) => noted(text)),
    noted("10.0.0.0/8", {}),
    noted("x", {}),
    noted("", {}),
    noted("10.0.0.0/8", { type: "NodePort" }),
    noted("x", { type: "LoadBalancer", loadBalancerSourceRanges: ["10.0.0.0/8"] }),
    noted("x", { type: "LoadBalancer", loadBalancerSourceRanges: ["y"] }),
    noted("10.0.0.0/8", { loadBalancerSourceRanges: ["10.0.0.0/8"] }),
    POST(
      `${core}/services`,
      {
        metadata: { name: "s", annotations: { [ranges]: "10.0.0.0/8" } },
        spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
      },
      { pick: refusal },
    ),
    update({ metadata: { annotations: { [ranges]: "x" } } }),
    update({ metadata: { annotations: { [ranges]: "10.1.2.3/8" } } }),
    update({ spec: { type: "ClusterIP" } }),
    update({ metadata: { annotations: null }, spec: { type: "ClusterIP" } }),
    {
      ...update({ metadata: { annotations: { [ranges]: "x" } } }),
      request: `PATCH ${core}/services/s/status?dryRun=All`,
    },
  ],
};
