import { merge, type RequestStep, type Scenario } from "../../../scenario.ts";

const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "nginx" }] } };
const container = { name: "c", image: "i:1" };
const post = (path: string, spec: object, name = "a"): RequestStep => ({
  request: `POST ${path}`,
  body: { metadata: { name }, spec },
});

export const scenarios: readonly Scenario[] = [
  {
    name: "job",
    steps: [
      {
        request: `POST /apis/batch/v1/namespaces/{ns}/jobs`,
        body: { metadata: { name: "a" }, spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
      },
      {
        request: `POST /apis/batch/v1/namespaces/{ns}/jobs`,
        body: { metadata: { name: "b" }, spec: { template: { spec: template.spec } } },
      },
      {
        request: `PATCH /apis/batch/v1/namespaces/{ns}/jobs/a`,
        headers: merge,
        body: { spec: { template: { spec: { restartPolicy: "OnFailure" } } } },
      },
      { request: `PATCH /apis/batch/v1/namespaces/{ns}/jobs/a`, headers: merge, body: { spec: { suspend: true } } },
    ],
  },
  {
    name: "job-orphans",
    steps: [
      post("/apis/batch/v1/namespaces/{ns}/jobs", {
        template: { spec: { restartPolicy: "Never", containers: [container] } },
      }),
      { request: "DELETE /apis/batch/v1/namespaces/{ns}/jobs/a" },
      {
        request: "PATCH /apis/batch/v1/namespaces/{ns}/jobs/a",
        headers: merge,
        body: { metadata: { finalizers: null } },
      },
      { request: "GET /apis/batch/v1/namespaces/{ns}/jobs/a" },
    ],
  },
];
