import { change, create, gone, identity, remove, settle, settles } from "../../controller-steps.ts";
import type { Scenarios } from "../../scenario.ts";
import { core, services, slices } from "../../steps.ts";

const endpoints = `${core}/endpoints`;
const ports = [{ name: "http", containerPort: 8080 }];
const pod = (name: string, more: object = {}) => ({
  metadata: { name, labels: { app: "web" }, ...more },
  spec: { containers: [{ name: "c", image: "image:1", ports }] },
});
const service = (name: string, spec: object = {}) => ({
  metadata: { name, labels: { of: name }, annotations: { noted: "yes" } },
  spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: "http" }], ...spec },
});

/** How often a slice was written, and when its cause was seen, depends on the server's pace. */
const unhurried = (object: any): object => {
  const { generation: _generation, annotations: _annotations, ...metadata } = object.metadata;
  return identity({ ...object, metadata });
};

const ofSlice = (object: any): object => {
  const { addressType, endpoints, ports } = object;
  return { ...unhurried(object), addressType, endpoints: endpoints?.map(ofEndpoint), ports };
};
const ofEndpoint = ({ addresses, ...rest }: any): object => ({ addresses: addresses.map(() => "<ip>"), ...rest });
const ofEndpoints = (object: any): object => ({ ...unhurried(object), subsets: object.subsets });
const endpointCount = (items: any[], count: number): boolean =>
  items.length === 1 && (items[0].endpoints ?? []).filter(({ conditions }: any) => conditions.ready).length === count;

/** A pod with named ports. */
const serving = (name: string, numbers: Record<string, number>, more: object = {}) => {
  const own = Object.entries(numbers).map(([name, containerPort]) => ({ name, containerPort }));
  const spec = { containers: [{ name: "c", image: "image:1", ports: own }], ...more };
  return { metadata: { name, labels: { app: "web" } }, spec };
};

const isServing = ({ endpoints }: any): boolean => endpoints?.every(({ conditions }: any) => conditions.ready);

/** The order of subsets is that of a hash. */
const bySubset = (object: any): object => ({
  ...ofEndpoints(object),
  subsets: object.subsets.toSorted((a: any, b: any) => a.ports.length - b.ports.length),
});

const sizesOf = (slices: any[]): number[] =>
  slices.map(({ endpoints }) => endpoints?.length ?? 0).toSorted((a, b) => b - a);

export const scenarios: Scenarios = {
  "controllers-service": [
    create(services, service("web")),
    settle(slices, (items) => items.length === 1, { of: ofSlice }),
    settles(`${endpoints}/web`, () => true, { pick: ofEndpoints }),
    create(`${core}/pods`, pod("a")),
    settle(slices, (items) => endpointCount(items, 1), { of: ofSlice }),
    settles(`${endpoints}/web`, ({ subsets }) => subsets?.[0]?.addresses, { pick: ofEndpoints }),
    create(`${core}/pods`, pod("b", { annotations: { "tsop.dev/keep-pending": "" } })),
    create(`${core}/pods`, pod("c")),
    settle(slices, (items) => endpointCount(items, 2), { of: ofSlice }),
    settles(`${endpoints}/web`, ({ subsets }) => subsets?.[0]?.addresses?.length === 2, { pick: ofEndpoints }),
    remove(`${core}/pods/c`),
    settle(slices, (items) => endpointCount(items, 1) && items[0].endpoints.length === 1, { of: ofSlice }),
    change(`${services}/web`, { metadata: { labels: { more: "yes" } } }),
    settle(slices, ([slice]) => slice.metadata.labels.more === "yes", { of: ofSlice }),
    settles(
      `${endpoints}/web`,
      ({ metadata, subsets }) => metadata.labels.more === "yes" && subsets[0].addresses.length === 1,
      {
        pick: ofEndpoints,
      },
    ),
    remove(`${services}/web`),
    gone(`${endpoints}/web`),
    settle(slices, (items) => items.length === 0),
  ],
  "controllers-service-kinds": [
    create(`${core}/pods`, pod("a")),
    create(services, service("headless", { clusterIP: "None", ports: undefined })),
    settle(slices, (items) => endpointCount(items, 1), { of: ofSlice }),
    settles(`${endpoints}/headless`, ({ subsets }) => subsets?.[0]?.addresses, { pick: ofEndpoints }),
    remove(`${services}/headless`),
    settle(slices, (items) => items.length === 0),
    create(services, { metadata: { name: "bare" }, spec: { ports: [{ port: 80 }] } }),
    create(services, { metadata: { name: "outside" }, spec: { type: "ExternalName", externalName: "example.com" } }),
    create(
      services,
      service("number", {
        ports: [{ port: 80 }, { name: "b", port: 81, protocol: "UDP" }].map((port) => ({ name: "a", ...port })),
      }),
    ),
    settle(slices, (items) => endpointCount(items, 1), { of: ofSlice }),
    settle(endpoints, (items) => items[0]?.subsets?.[0]?.addresses, { of: ofEndpoints }),
  ],
  "controllers-service-ports": [
    create(`${core}/pods`, serving("a", { http: 8080 }, { hostname: "first", subdomain: "web" })),
    create(`${core}/pods`, serving("b", { http: 9090, metrics: 9000 })),
    create(
      services,
      service("web", {
        ports: ["http", "metrics"].map((name, at) => ({ name, port: 80 + at, targetPort: name })),
      }),
    ),
    settle(slices, (items) => items.length === 2 && items.every(isServing), { of: ofSlice }),
    settles(`${endpoints}/web`, ({ subsets }) => subsets?.length === 2, { pick: bySubset }),
    remove(`${core}/pods/b`),
    settle(slices, (items) => items.length === 1 && items.every(isServing), { of: ofSlice }),
    settles(`${endpoints}/web`, ({ subsets }) => subsets?.length === 1, { pick: bySubset }),
    // Both are made again if somebody deletes them.
    remove(slices),
    settle(slices, (items) => items.length === 1 && items.every(isServing), { of: ofSlice }),
    remove(`${endpoints}/web`),
    settles(`${endpoints}/web`, ({ subsets }) => subsets?.length === 1, { pick: bySubset }),
  ],
  "controllers-service-slices": [
    create("/apis/apps/v1/namespaces/{ns}/replicasets", {
      metadata: { name: "web" },
      spec: { replicas: 103, selector: { matchLabels: { app: "web" } }, template: pod("web") },
    }),
    settles("/apis/apps/v1/namespaces/{ns}/replicasets/web", ({ status }) => status.availableReplicas === 103, {
      unrecorded: true,
    }),
    create(services, service("web")),
    settle(slices, (items) => sizesOf(items).reduce((sum, size) => sum + size, 0) === 103, {
      pick: ({ items }) => ({ sizes: sizesOf(items) }),
    }),
    remove("/apis/apps/v1/namespaces/{ns}/replicasets/web", { propagationPolicy: "Background" }),
    settle(slices, (items) => items.length === 1 && !items[0].endpoints?.length, { of: ofSlice }),
  ],
};
