import { merge, type Scenario } from "../../../scenario.ts";
import { core } from "../../../steps.ts";

export const scenarios: readonly Scenario[] = [
  {
    name: "service",
    steps: [
      {
        request: `POST ${core}/services`,
        body: { metadata: { name: "a" }, spec: { selector: { a: "b" }, ports: [{ port: 80 }] } },
      },
      {
        request: `POST ${core}/services`,
        body: { metadata: { name: "h" }, spec: { clusterIP: "None", selector: { a: "b" } } },
      },
      {
        request: `POST ${core}/services`,
        body: { metadata: { name: "e" }, spec: { type: "ExternalName", externalName: "x.y" } },
      },
      {
        request: `POST ${core}/services`,
        body: { metadata: { name: "b" }, spec: { ports: [{ port: 80 }, { port: 81 }] } },
      },
      { request: `POST ${core}/services`, body: { metadata: { name: "b" }, spec: { ports: [{ port: 99999 }] } } },
      { request: `POST ${core}/services`, body: { metadata: { name: "b" }, spec: {} } },
      { request: `PATCH ${core}/services/a`, headers: merge, body: { spec: { clusterIP: "10.96.0.99" } } },
      { request: `PATCH ${core}/services/a`, headers: merge, body: { spec: { selector: { c: "d" } } } },
      { request: `DELETE ${core}/services/a` },
    ],
  },
];
