import { brief, change, condition, create, gone, identity, remove, settle, settles } from "../../controller-steps.ts";
import type { RequestStep, Scenarios } from "../../scenario.ts";
import { maps } from "../../steps.ts";
import { DELETE, GET, POST } from "../../requests.ts";

const map = (name: string, more: object = {}) => ({ metadata: { name, ...more } });
const owner = (name: string, more: object = {}) => ({
  ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid: `{${name}}`, ...more }],
});
const saved = (name: string): RequestStep => ({ ...create(maps, map(name)), save: { [name]: "metadata.uid" } });
const policy = (propagationPolicy: string) => ({ kind: "DeleteOptions", apiVersion: "v1", propagationPolicy });

/** What is there besides what every namespace has. */
const left: RequestStep = GET(maps, {
  pick: ({ items }) => ({
    items: items.filter(({ metadata }: any) => metadata.name !== "kube-root-ca.crt").map(identity),
  }),
});

const inner = "/api/v1/namespaces/{ns}-inner";

/** How objects end: garbage collection, and namespaces. */
export const scenarios: Scenarios = {
  "controllers-gc-background": [
    saved("a"),
    saved("b"),
    { ...create(maps, map("child", owner("a"))), save: { child: "metadata.uid" } },
    create(maps, map("grandchild", owner("child"))),
    create(maps, map("both", { ownerReferences: [...owner("a").ownerReferences, ...owner("b").ownerReferences] })),
    remove(`${maps}/a`),
    gone(`${maps}/child`),
    gone(`${maps}/grandchild`),
    settles(`${maps}/both`, ({ metadata }) => metadata.ownerReferences.length === 1),
    left,
  ],
  "controllers-gc-foreground": [
    saved("a"),
    create(maps, map("blocking", { ...owner("a", { blockOwnerDeletion: true }), finalizers: ["example.com/hold"] })),
    create(maps, map("free", { ...owner("a"), finalizers: ["example.com/hold"] })),
    DELETE(`${maps}/a`, { body: policy("Foreground"), pick: brief }),
    settles(`${maps}/blocking`, ({ metadata }) => metadata.deletionTimestamp),
    settles(`${maps}/free`, ({ metadata }) => metadata.deletionTimestamp),
    settles(`${maps}/a`, ({ metadata }) => metadata.deletionTimestamp),
    change(`${maps}/blocking`, { metadata: { finalizers: null } }),
    gone(`${maps}/blocking`),
    gone(`${maps}/a`),
    settles(`${maps}/free`, ({ metadata }) => metadata.deletionTimestamp),
    change(`${maps}/free`, { metadata: { finalizers: null } }),
    gone(`${maps}/free`),
    left,
  ],
  "controllers-gc-circle": [
    saved("a"),
    ...["b", "c"].map((name, index) => ({
      ...create(maps, map(name, owner("ab"[index]!, { blockOwnerDeletion: true }))),
      save: { [name]: "metadata.uid" },
    })),
    change(`${maps}/a`, { metadata: owner("c", { blockOwnerDeletion: true }) }),
    DELETE(`${maps}/a`, { body: policy("Foreground"), pick: brief }),
    ...["a", "b", "c"].map((name) => gone(`${maps}/${name}`)),
    left,
  ],
  "controllers-gc-orphan": [
    saved("a"),
    create(maps, map("child", owner("a"))),
    create(maps, map("blocked", owner("a", { blockOwnerDeletion: true, controller: true }))),
    DELETE(`${maps}/a`, { body: policy("Orphan"), pick: brief }),
    gone(`${maps}/a`),
    settles(`${maps}/child`, ({ metadata }) => !metadata.ownerReferences),
    left,
  ],
  "controllers-gc-absent": [
    saved("a"),
    create(
      maps,
      map("orphan", {
        ownerReferences: [
          { apiVersion: "v1", kind: "ConfigMap", name: "none", uid: "11111111-1111-4111-8111-111111111111" },
        ],
      }),
    ),
    gone(`${maps}/orphan`),
    // Another object has the owner's name today.
    create(
      maps,
      map("namesake", {
        ownerReferences: [
          { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "11111111-1111-4111-8111-111111111111" },
        ],
      }),
    ),
    gone(`${maps}/namesake`),
    create(
      maps,
      map("unknown", {
        ownerReferences: [
          { apiVersion: "example.com/v1", kind: "None", name: "a", uid: "11111111-1111-4111-8111-111111111111" },
        ],
      }),
    ),
    create("/api/v1/namespaces", map("{ns}-other")),
    create("/api/v1/namespaces/{ns}-other/configmaps", map("abroad", owner("a"))),
    gone("/api/v1/namespaces/{ns}-other/configmaps/abroad"),
    GET("/api/v1/namespaces/{ns}-other/events", {
      until: ({ items }) => items.length > 0,
      pick: ({ items }) =>
        items.map(({ reason, message, type, source, involvedObject }: any) => ({
          reason,
          message,
          type,
          source,
          involvedObject,
        })),
    }),
    { ...create("/api/v1/nodes", map("{ns}", owner("a"))), unrecorded: true },
    left,
    remove("/api/v1/nodes/{ns}"),
  ],
  "controllers-namespace": [
    create("/api/v1/namespaces", map("{ns}-inner")),
    settle(`${inner}/configmaps`, (items) => items.length === 1, { of: identity }),
    settle(`${inner}/serviceaccounts`, (items) => items.length === 1, { of: identity }),
    { open: "namespace", request: "GET /api/v1/namespaces?watch=1&fieldSelector=metadata.name={ns}-inner" },
    DELETE(inner, { pick: brief }),
    gone(inner),
    { read: "namespace", count: 4 },
  ],
  "controllers-namespace-pods-first": [
    create("/api/v1/namespaces", map("{ns}-inner")),
    create(`${inner}/configmaps`, map("a")),
    settle(`${inner}/serviceaccounts`, (items) => items.length === 1, { unrecorded: true }),
    create(`${inner}/pods`, {
      ...map("held", { finalizers: ["example.com/hold"] }),
      spec: { containers: [{ name: "c", image: "image:1" }], terminationGracePeriodSeconds: 300 },
    }),
    DELETE(inner, { pick: brief }),
    settles(inner, ({ status }) => condition({ status }, "NamespaceDeletionContentFailure")),
    settles(`${inner}/pods/held`, ({ metadata }) => metadata.deletionTimestamp, { pick: identity }),
    GET(`${inner}/configmaps/a`, { pick: identity }),
    change(`${inner}/pods/held`, { metadata: { finalizers: null } }),
    gone(inner),
  ],
  "controllers-namespace-held": [
    create("/api/v1/namespaces", map("{ns}-inner")),
    create(`${inner}/configmaps`, map("a", { finalizers: ["example.com/hold"] })),
    create(`${inner}/configmaps`, map("b", { finalizers: ["example.com/hold", "example.com/more"] })),
    create(`${inner}/secrets`, map("c", { finalizers: ["example.com/hold"] })),
    settle(`${inner}/serviceaccounts`, (items) => items.length === 1, { unrecorded: true }),
    DELETE(inner, { pick: brief }),
    settles(inner, ({ status }) =>
      status.conditions?.some(({ type, status }: any) => type === "NamespaceFinalizersRemaining" && status === "True"),
    ),
    POST(`${inner}/configmaps`, map("late")),
    change(`${inner}/secrets/c`, { metadata: { finalizers: null } }),
    change(`${inner}/configmaps/b`, { metadata: { finalizers: null } }),
    settles(inner, ({ status }) =>
      status.conditions.some(({ message }: any) => message.includes("configmaps. has 1 ")),
    ),
    change(`${inner}/configmaps/a`, { metadata: { finalizers: null } }),
    gone(inner),
  ],
};
