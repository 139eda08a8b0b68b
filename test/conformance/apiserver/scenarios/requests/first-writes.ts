import { merge, type RequestStep, type Scenario } from "../../scenario.ts";
import { batch, core } from "../../steps.ts";

const podSpec = { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" };
const claim = { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } };
const job = (labels?: object): object => ({ spec: { template: { metadata: { labels }, spec: podSpec } } });

/** Creates an object, and writes it twice without a change by each way: the first write may store defaults. */
function unchanged(path: string, name: string, body: object): RequestStep[] {
  const url = `${path}/${name}`;
  const nothing = { headers: merge, body: {} };
  return [
    { request: `POST ${path}?dryRun=All`, body: { metadata: { name }, ...body } },
    { request: `POST ${path}`, body: { metadata: { name }, ...body } },
    { request: `GET ${url}` },
    { request: `PATCH ${url}?dryRun=All`, ...nothing },
    { request: `PATCH ${url}`, ...nothing },
    { request: `PATCH ${url}`, ...nothing },
    { request: `PATCH ${url}/status`, ...nothing },
    { request: `GET ${url}` },
  ];
}

const conditions = { status: { conditions: [] } };

export const scenarios: readonly Scenario[] = [
  {
    name: "first-writes",
    steps: [
      ...unchanged(`${core}/persistentvolumeclaims`, "claim", claim),
      { request: `POST ${core}/persistentvolumeclaims`, body: { metadata: { name: "bound" }, ...claim } },
      {
        request: `PATCH ${core}/persistentvolumeclaims/bound/status`,
        headers: merge,
        body: { status: { phase: "Pending" } },
      },
      { request: `PATCH ${core}/persistentvolumeclaims/bound/status`, headers: merge, body: conditions },
      { request: `PATCH ${core}/persistentvolumeclaims/bound/status`, headers: merge, body: { status: null } },
      ...unchanged(`${batch}/jobs`, "job", job()),
      ...unchanged(`${batch}/jobs`, "labelled", job({ a: "b" })),
      { request: `GET ${batch}/jobs?labelSelector=job-name%3Djob`, pick: ({ items }: any) => items.length },
      { request: `POST ${batch}/jobs`, body: { metadata: { name: "empty" }, ...job() } },
      { request: `PATCH ${batch}/jobs/empty`, headers: merge, body: { metadata: { labels: null } } },
      { request: `PATCH ${batch}/jobs/empty`, headers: merge, body: { metadata: { labels: { a: "b" } } } },
    ],
  },
];
