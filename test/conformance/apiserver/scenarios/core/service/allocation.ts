import { merge, type Scenarios } from "../../../scenario.ts";
import { core } from "../../../steps.ts";
import { DELETE, PATCH, POST } from "../../../requests.ts";

// The servers' ranges of addresses differ.
const service = (name: string, spec: object) =>
  POST(
    `${core}/services`,
    { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } },
    {
      pick: ({ code, message, spec }: any) =>
        code
          ? message.replaceAll(/10\.[\d.]+\d/g, "IP")
          : {
              ...spec,
              clusterIP: spec.clusterIP === "None",
              clusterIPs: spec.clusterIPs?.length,
              ports: spec.ports.length,
            },
    },
  );

export const scenarios: Scenarios = {
  "service-addresses": [
    { ...service("a", {}), save: { address: "spec.clusterIP" } },
    service("b", { clusterIP: "{address}" }),
    service("b", { clusterIP: "1.1.1.1" }),
    service("b", { clusterIP: "nonsense" }),
    service("b", { clusterIP: "fd00::1" }),
    service("c", { clusterIP: "None" }),
    service("d", { type: "NodePort", ports: [{ port: 80, nodePort: 30034 }] }),
    service("e", { type: "NodePort", ports: [{ port: 80, nodePort: 30034 }] }),
    service("e", { type: "NodePort", ports: [{ port: 80, nodePort: 1 }] }),
    service("e", { type: "NodePort", ports: [{ port: 80, nodePort: 70000 }] }),
    service("e", { ports: [{ port: 80, nodePort: 30035 }] }),
    {
      ...service("f", {
        type: "NodePort",
        ports: [
          { name: "t", port: 53, nodePort: 30053 },
          { name: "u", port: 53, nodePort: 30053, protocol: "UDP" },
        ],
      }),
      pick: ({ spec, message }: any) => spec?.ports ?? message,
    },
    service("g", {
      type: "NodePort",
      ports: [
        { name: "t", port: 53, nodePort: 30054 },
        { name: "u", port: 54, nodePort: 30054 },
      ],
    }),
    service("g", { externalIPs: ["1.2.3.4"] }),
    service("h", { clusterIP: "None", externalIPs: ["1.2.3.4"] }),
    service("i", { externalIPs: ["127.0.0.1"] }),
    service("i", { externalIPs: ["x"] }),
    {
      ...service("i", { type: "LoadBalancer", externalTrafficPolicy: "Local" }),
      pick: ({ spec: { healthCheckNodePort, ports } }: any) =>
        healthCheckNodePort > 29_999 && ports[0].nodePort !== healthCheckNodePort,
    },
    PATCH(`${core}/services/d`, merge, { spec: { ports: [{ port: 80, nodePort: 30036 }] } }),
    PATCH(`${core}/services/d`, merge, { spec: { ports: [{ port: 80, nodePort: 29000 }] } }),
    DELETE(`${core}/services/a`),
    service("j", { clusterIP: "{address}" }),
  ],
};
