import { customKind } from "../../custom-kind.ts";
import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { DELETE, GET, PATCH, POST } from "../../requests.ts";

const path = "/apis/apiregistration.k8s.io/v1/apiservices";
const kind = customKind("aggregation");
const group = "remote.aggregation.example.com";
const name = `v1.${group}`;
const spec = { group, version: "v1", groupPriorityMinimum: 1500, versionPriority: 10 };
const service = { name: "remote", namespace: "{ns}" };
const create = (fields: object): RequestStep => POST(path, { metadata: { name }, ...fields });

/** Waits for a reason of the condition. */
const untilReason = (reason: string): RequestStep =>
  GET(`${path}/${name}`, { until: (body) => body.status?.conditions?.[0]?.reason === reason });

const own = (groups: any[], nameOf: (group: any) => string): unknown =>
  groups
    .filter((each) => nameOf(each).endsWith("aggregation.example.com"))
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
const discovery: RequestStep[] = [
  GET("/apis", { pick: ({ groups }) => own(groups, (each) => each.name) }),
  GET("/apis", {
    headers: { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" },
    until: ({ items }) => items.some((each: any) => each.metadata.name === group),
    pick: ({ items }) =>
      (own(items, (each) => each.metadata.name) as any[]).filter((each) => each.metadata.name === group),
  }),
];
const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };

/** APIServices: the server's own, those of CRDs, and those of other servers. */
export const scenarios: Scenarios = {
  aggregation: [
    GET(`${path}?labelSelector=kube-aggregator.kubernetes.io/automanaged=onstart`, {
      pick: ({ items }) =>
        items
          .filter((each: any) => !each.metadata.name.includes("flowcontrol"))
          .map((each: any) => [each.metadata.name, each.metadata.labels, each.spec, each.status.conditions[0].reason]),
    }),
    GET(`${path}/v1.apps`),
    ...kind.install,
    GET(`${path}/v1.aggregation.example.com`, { until: (_, status) => status === 200 }),
    create({ spec: { ...spec, service: {} } }),
    create({ spec: { ...spec, group: "", version: "v2" } }),
    create({ spec: { ...spec, group: "a_b", version: "1", service: { ...service, port: 70_000 } } }),
    create({ spec: { ...spec, groupPriorityMinimum: 20_001, versionPriority: 1_001 } }),
    create({ spec: { ...spec, caBundle: "eHh4", insecureSkipTLSVerify: true } }),
    create({ spec: { ...spec, caBundle: "eHh4", insecureSkipTLSVerify: true, service } }),
    create({}),
    create({ spec: { ...spec, service } }),
    untilReason("ServiceNotFound"),
    GET(`${path}/${name}`, { headers: table }),
    ...discovery,
    GET(`/apis/${group}`),
    GET(`/apis/${group}/v1`, { until: (_, status) => status === 503 }),
    GET(`/apis/${group}/v1/namespaces/{ns}/things/a`),
    GET(`/apis/${group}/v2`),
    PATCH(`${path}/${name}`, merge, { spec: { service: null } }),
    GET(`/apis/${group}/v1`, { until: (_, status) => status === 404 }),
    DELETE(`${path}/${name}`),
    GET(`/apis/${group}`, { until: (_, status) => status === 404 }),
    DELETE(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${kind.crd.metadata.name}`, { unrecorded: true }),
    GET(`${path}/v1.aggregation.example.com`, { until: (_, status) => status === 404 }),
  ],
};
