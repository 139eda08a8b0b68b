import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { batch, core } from "../../steps.ts";
import { GET, PATCH, POST } from "../../requests.ts";

const podSpec = { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" };
const claim = { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } };
const job = (labels?: object): object => ({ spec: { template: { metadata: { labels }, spec: podSpec } } });

/** Creates an object, and writes it twice without a change by each way: the first write may store defaults. */
function unchanged(path: string, name: string, body: object): RequestStep[] {
  const url = `${path}/${name}`;
  const nothing = { headers: merge, body: {} };
  return [
    POST(`${path}?dryRun=All`, { metadata: { name }, ...body }),
    POST(path, { metadata: { name }, ...body }),
    GET(url),
    { request: `PATCH ${url}?dryRun=All`, ...nothing },
    { request: `PATCH ${url}`, ...nothing },
    { request: `PATCH ${url}`, ...nothing },
    { request: `PATCH ${url}/status`, ...nothing },
    GET(url),
  ];
}

const conditions = { status: { conditions: [] } };

export const scenarios: Scenarios = {
  "first-writes": [
    ...unchanged(`${core}/persistentvolumeclaims`, "claim", claim),
    POST(`${core}/persistentvolumeclaims`, { metadata: { name: "bound" }, ...claim }),
    PATCH(`${core}/persistentvolumeclaims/bound/status`, merge, { status: { phase: "Pending" } }),
    PATCH(`${core}/persistentvolumeclaims/bound/status`, merge, conditions),
    PATCH(`${core}/persistentvolumeclaims/bound/status`, merge, { status: null }),
    ...unchanged(`${batch}/jobs`, "job", job()),
    ...unchanged(`${batch}/jobs`, "labelled", job({ a: "b" })),
    GET(`${batch}/jobs?labelSelector=job-name%3Djob`, { pick: ({ items }: any) => items.length }),
    POST(`${batch}/jobs`, { metadata: { name: "empty" }, ...job() }),
    PATCH(`${batch}/jobs/empty`, merge, { metadata: { labels: null } }),
    PATCH(`${batch}/jobs/empty`, merge, { metadata: { labels: { a: "b" } } }),
  ],
};
