import { create, settles } from "../../controller-steps.ts";
import { crds } from "../../custom-kind.ts";
import { GET, PATCH } from "../../requests.ts";
import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";

const migrations = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";
const group = "migrated.example.com";
const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
const versions = (storage: string) =>
  ["v1", "v2"].map((name) => ({ name, served: true, storage: name === storage, schema }));
const definition = {
  metadata: { name: `things.${group}` },
  spec: { group, scope: "Namespaced", names: { plural: "things", kind: "Thing" }, versions: versions("v1") },
};
const migration = (name: string, resource: object) => ({ metadata: { name }, spec: { resource } });

/** What the controller decides of a migration. */
const conditionsOf = ({ status }: any): object[] =>
  status.conditions
    .map(({ type, status: is, reason }: any) => ({ type, status: is, reason }))
    .toSorted((a: any, b: any) => (a.type < b.type ? -1 : 1));
const isOver = ({ status }: any): boolean =>
  status?.conditions?.some(({ type, status: is }: any) => type === "Running" && is === "False");
const ends = (name: string): RequestStep => settles(`${migrations}/${name}`, isOver, { pick: conditionsOf });

export const scenarios: Scenarios = {
  "controllers-migration": {
    since: "1.37",
    steps: [
      create(crds, definition),
      settles(
        `${crds}/things.${group}`,
        ({ status }) => status.conditions?.some(({ type, status: is }: any) => type === "Established" && is === "True"),
        { pick: () => "established" },
      ),
      create(`/apis/${group}/v1/namespaces/{ns}/things`, {
        apiVersion: `${group}/v1`,
        kind: "Thing",
        metadata: { name: "a" },
        x: 1,
      }),
      PATCH(`${crds}/things.${group}`, merge, { spec: { versions: versions("v2") } }, { unrecorded: true }),
      settles(`${crds}/things.${group}`, ({ status }) => status.storedVersions.length === 2, {
        pick: ({ status }) => status.storedVersions,
      }),
      create(migrations, migration("of-things", { group, resource: "things" })),
      ends("of-things"),
      GET(`${crds}/things.${group}`, {
        pick: ({ status }) => ({
          storedVersions: status.storedVersions,
          migrating: status.conditions
            .filter(({ type }: any) => type === "StorageMigrating")
            .map(({ status: is, reason }: any) => [is, reason]),
        }),
      }),
      { request: `DELETE ${crds}/things.${group}`, unrecorded: true },
      { request: `DELETE ${migrations}/of-things`, unrecorded: true },
      // Reviews are not stored.
      create(migrations, migration("of-reviews", { group: "authentication.k8s.io", resource: "tokenreviews" })),
      ends("of-reviews"),
      { request: `DELETE ${migrations}/of-reviews`, unrecorded: true },
    ],
  },
};
