import { merge, type Scenarios } from "../../scenario.ts";
import { GET, PATCH, POST } from "../../requests.ts";
import { core } from "../../steps.ts";

const controllers = `${core}/replicationcontrollers`;
const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "i:1" }] } };

export const scenarios: Scenarios = {
  "replication-controllers": [
    POST(`${controllers}?dryRun=All`, { metadata: { name: "web" }, spec: { template } }),
    POST(controllers, { metadata: { name: "web", labels: { own: "label" } }, spec: { replicas: 0, template } }),
    PATCH(`${controllers}/web`, merge, { spec: { minReadySeconds: 5 } }),
    GET(controllers, { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } }),
  ],
};
