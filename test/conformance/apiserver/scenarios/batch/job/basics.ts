import { merge, type RequestStep, type Scenarios } from "../../../scenario.ts";
import { DELETE, GET, PATCH, POST } from "../../../requests.ts";

const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "nginx" }] } };
const container = { name: "c", image: "i:1" };
const post = (path: string, spec: object, name = "a"): RequestStep => POST(path, { metadata: { name }, spec });

export const scenarios: Scenarios = {
  job: [
    POST("/apis/batch/v1/namespaces/{ns}/jobs", {
      metadata: { name: "a" },
      spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } },
    }),
    POST("/apis/batch/v1/namespaces/{ns}/jobs", {
      metadata: { name: "b" },
      spec: { template: { spec: template.spec } },
    }),
    PATCH("/apis/batch/v1/namespaces/{ns}/jobs/a", merge, {
      spec: { template: { spec: { restartPolicy: "OnFailure" } } },
    }),
    PATCH("/apis/batch/v1/namespaces/{ns}/jobs/a", merge, { spec: { suspend: true } }),
  ],
  "job-orphans": [
    post("/apis/batch/v1/namespaces/{ns}/jobs", {
      template: { spec: { restartPolicy: "Never", containers: [container] } },
    }),
    DELETE("/apis/batch/v1/namespaces/{ns}/jobs/a"),
    PATCH("/apis/batch/v1/namespaces/{ns}/jobs/a", merge, { metadata: { finalizers: null } }),
    GET("/apis/batch/v1/namespaces/{ns}/jobs/a"),
  ],
};
