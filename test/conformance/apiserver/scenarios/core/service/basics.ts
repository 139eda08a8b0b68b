import { merge, type Scenarios } from "../../../scenario.ts";
import { core } from "../../../steps.ts";
import { DELETE, PATCH, POST } from "../../../requests.ts";

export const scenarios: Scenarios = {
  service: [
    POST(`${core}/services`, { metadata: { name: "a" }, spec: { selector: { a: "b" }, ports: [{ port: 80 }] } }),
    POST(`${core}/services`, { metadata: { name: "h" }, spec: { clusterIP: "None", selector: { a: "b" } } }),
    POST(`${core}/services`, { metadata: { name: "e" }, spec: { type: "ExternalName", externalName: "x.y" } }),
    POST(`${core}/services`, { metadata: { name: "b" }, spec: { ports: [{ port: 80 }, { port: 81 }] } }),
    POST(`${core}/services`, { metadata: { name: "b" }, spec: { ports: [{ port: 99999 }] } }),
    POST(`${core}/services`, { metadata: { name: "b" }, spec: {} }),
    PATCH(`${core}/services/a`, merge, { spec: { clusterIP: "10.96.0.99" } }),
    PATCH(`${core}/services/a`, merge, { spec: { selector: { c: "d" } } }),
    DELETE(`${core}/services/a`),
  ],
};
