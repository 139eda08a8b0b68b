import { customKind } from "../../custom-kind.ts";
import { merge, type Scenarios } from "../../scenario.ts";
import { maps } from "../../steps.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";

const kind = customKind("delete");
const { path, object } = kind;
const final = customKind("finalizers");
const many = customKind("deletecollection");
const held = (name: string) => ({ ...final.object(name), metadata: { name, finalizers: ["a.io/f", "a.io/g"] } });
const create = (name: string) =>
  POST(path, object(name), { save: { rv: "metadata.resourceVersion", uid: "metadata.uid" }, unrecorded: true });

export const scenarios: Scenarios = {
  delete: [
    ...kind.install,
    create("a"),
    DELETE(`${path}/a?dryRun=All`),
    DELETE(`${path}/a`, { body: { preconditions: { uid: "11111111-1111-4111-8111-111111111111" } } }),
    DELETE(`${path}/a`, { body: { preconditions: { resourceVersion: "1" } } }),
    DELETE(`${path}/a`, { body: { propagationPolicy: "Sideways" } }),
    DELETE(`${path}/a`, { body: { propagationPolicy: "Orphan", orphanDependents: true } }),
    DELETE(`${path}/a`, { body: { dryRun: ["Some"] } }),
    DELETE(`${path}/a`, { body: { kind: "Pod", apiVersion: "v1" } }),
    DELETE(`${path}/a`, { body: "{" }),
    DELETE(`${path}/a`, { body: { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "{uid}" } } }),
    DELETE(`${path}/a`),
    create("b"),
    DELETE(`${path}/b?propagationPolicy=Foreground`),
    DELETE(`${path}/b?propagationPolicy=Orphan`),
    DELETE(`${path}/b`),
    DELETE(`${path}/b?propagationPolicy=Background`),
    GET(`${path}/b`),
    create("c"),
    DELETE(`${path}/c?orphanDependents=true`),
    DELETE(`${path}/c?orphanDependents=false`),
    POST(maps, { metadata: { name: "m" } }, { unrecorded: true }),
    DELETE(`${maps}/m`),
  ],
  finalizers: [
    ...final.install,
    POST(final.path, held("a"), { unrecorded: true }),
    DELETE(`${final.path}/a`),
    DELETE(`${final.path}/a`),
    POST(final.path, held("a")),
    PATCH(`${final.path}/a`, merge, { metadata: { finalizers: ["a.io/f", "a.io/g", "a.io/h"] } }),
    PATCH(`${final.path}/a`, merge, { metadata: { deletionTimestamp: null } }),
    PATCH(`${final.path}/a`, merge, { spec: { x: "changed" } }),
    PATCH(`${final.path}/a`, merge, { metadata: { finalizers: ["a.io/f"] } }),
    { open: "w", request: `GET ${final.path}?watch=true` },
    PATCH(`${final.path}/a`, merge, { metadata: { finalizers: null } }),
    { read: "w", count: 2 },
    GET(`${final.path}/a`),
  ],
  deletecollection: [
    ...many.install,
    ...["a", "b", "c"].map((name) =>
      POST(
        many.path,
        { ...many.object(name), metadata: { name, labels: { half: name === "c" ? "two" : "one" } } },
        { unrecorded: true },
      ),
    ),
    DELETE(`${many.path}?labelSelector=half%3Done`),
    GET(many.path),
    DELETE(`${many.path}?dryRun=All`),
    ...["d", "e", "f", "g"].map((name) =>
      POST(
        many.path,
        { ...many.object(name), metadata: { name, labels: { half: "two" } } },
        { unrecorded: true as const },
      ),
    ),
    DELETE(`${many.path}?limit=1`),
    DELETE(`${many.path}?limit=1&labelSelector=half%3Dtwo`, { save: { next: "metadata.continue" } }),
    DELETE(`${many.path}?limit=1&labelSelector=half%3Dtwo&continue={next}`),
    DELETE(`${many.path}?limit=x`),
    DELETE(`${many.path}?resourceVersionMatch=Exact`),
    GET(many.path),
    DELETE(many.path),
    DELETE(many.path),
    GET(many.path),
  ],
};
