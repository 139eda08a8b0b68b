import { merge, type RequestStep, type Scenario } from "../scenario.ts";

const api = "/apis/resource.k8s.io/v1";
const claims = `${api}/namespaces/{ns}/resourceclaims`;
const create = (path: string, name: string, spec: object): RequestStep => ({
  request: `POST ${path}?dryRun=All`,
  body: { metadata: { name }, spec },
  pick: shown,
});
function shown({ code, message, details, spec, metadata, status }: any): unknown {
  return code === undefined
    ? { spec, status, generation: metadata.generation }
    : { code, causes: details?.causes?.map(withoutStruct) ?? message };
}
/** A real server prints Go structs. */
const withoutStruct = (cause: any): any => ({
  ...cause,
  message: cause.message.replace(/Invalid value: [[{].*:/, "Invalid value: {…}:"),
});

const devices = (fields: object): RequestStep => create(claims, "a", { devices: fields });
const requests = (...list: object[]): RequestStep => devices({ requests: list });
const exactly = (fields: object): RequestStep => requests({ name: "r", exactly: { deviceClassName: "c", ...fields } });
const request = { name: "r", exactly: { deviceClassName: "c" } };
const wish = { name: "s", deviceClassName: "c" };
const opaque = { driver: "a.b", parameters: { a: 1 } };
const many = (count: number, item: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, index) => item(index));
const expression = { cel: { expression: "true" } };
const deviceClass = (spec: object): RequestStep => create(`${api}/deviceclasses`, "{ns}", spec);
const template = (spec: object): RequestStep => create(`${api}/namespaces/{ns}/resourceclaimtemplates`, "a", spec);
const slice = (spec: object): RequestStep =>
  create(`${api}/resourceslices`, "{ns}", {
    driver: "a.b",
    nodeName: "n",
    pool: { name: "p", generation: 1, resourceSliceCount: 1 },
    ...spec,
  });
const elsewhere = (spec: object): RequestStep => slice({ nodeName: null, ...spec });
const device = (fields: object): RequestStep => slice({ devices: [{ name: "a", ...fields }] });

const placed = (fields: object): RequestStep =>
  elsewhere({ perDeviceNodeSelection: true, devices: [{ name: "a", ...fields }] });
const capacity = (fields: object, isShared = true): RequestStep =>
  device({ allowMultipleAllocations: isShared, capacity: { mem: fields } });
const range = (usual: string, validRange: object): RequestStep =>
  capacity({ value: "10", requestPolicy: { default: usual, validRange } });
const named = (count: number, value: unknown): object =>
  Object.fromEntries(many(count, (at) => [`a${at}`, value]) as any);
const counters = { m: { value: "1" } };
const set = { name: "c", counters };
const use = { counterSet: "c", counters };

const status = (fields: object, dryRun = true): RequestStep => ({
  request: `PATCH ${claims}/s/status${dryRun ? "?dryRun=All" : ""}`,
  headers: merge,
  body: { status: fields },
  pick: shown,
});
const result = { request: "r", driver: "a.b", pool: "p", device: "d" };
const allocation = { devices: { results: [result] } };
const results = (...list: object[]): RequestStep => status({ allocation: { devices: { results: list } } });
const id = { driver: "a.b", pool: "p", device: "d" };
const reports = (...list: object[]): RequestStep => status({ allocation, devices: list });
const uuid = "0f6e2b1c-0e1c-4f59-8b42-5fb2c0b7a3d1";
const network = (networkData: object): RequestStep => reports({ ...id, networkData });
const consumer = { resource: "pods", name: "p", uid: "u" };
const condition = { type: "a", status: "True", reason: "r", message: "", lastTransitionTime: "2020-01-01T00:00:00Z" };
const term = (operator: string): object => ({ matchExpressions: [{ key: "a", operator }] });

const container = { name: "c", image: "i" };
const pod = (resourceClaims: readonly object[], ...used: object[]): RequestStep => ({
  request: "POST /api/v1/namespaces/{ns}/pods?dryRun=All",
  body: {
    metadata: { name: "a" },
    spec: { containers: [{ ...container, resources: { claims: used } }], resourceClaims },
  },
  pick: (body) => (body.code === undefined ? "accepted" : shown(body)),
});
const own = { name: "a", resourceClaimName: "x" };

/** Devices that pods claim, and those that drivers offer. */
export const deviceScenarios: readonly Scenario[] = [
  {
    name: "device-claims",
    steps: [
      create(claims, "a", {}),
      requests(request),
      requests({}),
      requests({ name: "A b", exactly: { deviceClassName: "c" } }),
      requests({ name: "r" }),
      requests({ name: "r", exactly: {} }),
      requests({ name: "r", exactly: { deviceClassName: "A b" } }),
      requests(request, request),
      requests({ ...request, firstAvailable: [wish] }),
      ...[[], [wish], [{}], [wish, wish], many(9, (index) => ({ ...wish, name: `s${index}` }))].map((firstAvailable) =>
        requests({ name: "r", firstAvailable }),
      ),
      devices({ requests: many(33, (index) => ({ ...request, name: `r${index}` })) }),
      ...[
        { allocationMode: "All" },
        { allocationMode: "ExactCount", count: 0 },
        { allocationMode: "ExactCount", count: -1 },
        { allocationMode: "All", count: 1 },
        { allocationMode: "x" },
        { allocationMode: "", count: 2 },
        { adminAccess: false },
        { selectors: [expression] },
        { selectors: [{}] },
        { selectors: many(33, () => expression) },
        { tolerations: [{}] },
        { tolerations: [{ key: "a", operator: "x" }] },
        { tolerations: [{ key: "a", operator: "Exists", value: "v" }] },
        { tolerations: [{ key: "a b", value: "c d", effect: "x" }] },
        { tolerations: [{ key: "a", effect: "NoExecute", tolerationSeconds: 5 }] },
        { capacity: { requests: { a: "1" } } },
      ].map(exactly),
      ...[
        {},
        { requests: ["r"], matchAttribute: "a.b/c" },
        { requests: ["x", "r/s", "a/b/c"], matchAttribute: "a.b/c" },
        { matchAttribute: "c" },
        { matchAttribute: "a.b/c d" },
        { matchAttribute: "" },
        { matchAttribute: "/" },
        { distinctAttribute: "a.b/c" },
      ].map((constraint) => devices({ requests: [request], constraints: [constraint] })),
      ...[
        {},
        { requests: ["x"], opaque },
        { requests: ["r", "r"], opaque },
        { opaque: { ...opaque, driver: "A b" } },
        { opaque: { driver: "a.b" } },
        { opaque: { driver: "a.b", parameters: [] } },
        { opaque: { parameters: {} } },
      ].map((config) => devices({ requests: [request], config: [config] })),
    ],
  },
  {
    name: "device-pods",
    steps: [
      pod([own], { name: "a" }),
      pod([{ name: "a" }]),
      pod([{ ...own, resourceClaimTemplateName: "c" }]),
      pod([{ name: "A b", resourceClaimName: "X y" }]),
      pod([{ name: "a", resourceClaimTemplateName: "X y" }]),
      pod([own, own]),
      pod([{}, {}]),
      pod([own], { name: "a" }, { name: "b" }, { name: "a", request: "r" }, { name: "" }, { name: "a" }),
      pod([own], { name: "a", request: "r" }, { name: "a", request: "r" }, { name: "a" }, { name: "a", request: "R" }),
      pod([], { name: "x" }),
    ],
  },
  {
    name: "device-templates",
    steps: [
      ...[
        {},
        { spec: { devices: { requests: [request] } } },
        { spec: { devices: { requests: [{}] } } },
        { metadata: { name: "x" }, spec: {} },
        { metadata: { labels: { "a b": "c" }, annotations: { "a b": "" } }, spec: {} },
      ].map(template),
      ...[
        {},
        { selectors: [expression] },
        { selectors: [{}] },
        { config: [{}] },
        { config: [{ opaque: { ...opaque, driver: "A b" } }] },
        { config: [{ opaque }] },
        ...["a.b/c", "c", "A b", "kubernetes.io/a", ""].map((extendedResourceName) => ({ extendedResourceName })),
      ].map(deviceClass),
    ],
  },
  {
    name: "device-slices",
    steps: [
      ...[
        {},
        { driver: "" },
        { driver: "A b" },
        { driver: "a".repeat(64) },
        { pool: {} },
        { pool: { name: "p/", generation: -1, resourceSliceCount: -1 } },
        { pool: { name: "A b", generation: 1, resourceSliceCount: 1 } },
        { nodeName: "" },
        { nodeName: "A b" },
        { allNodes: true },
        { perDeviceNodeSelection: true },
        { devices: [{}] },
        { devices: [{ name: "A b" }] },
        { devices: [{ name: "a" }, { name: "a" }] },
        { devices: many(129, (index) => ({ name: `d${index}` })) },
      ].map(slice),
      ...[
        {},
        { allNodes: true },
        { allNodes: false },
        { nodeSelector: {} },
        { nodeSelector: { nodeSelectorTerms: [term("Exists")] } },
        { nodeSelector: { nodeSelectorTerms: [term("x")] } },
        { nodeSelector: { nodeSelectorTerms: [{}, {}] } },
      ].map(elsewhere),
      ...[
        { attributes: { a: {} } },
        { attributes: { a: { string: "x", int: 1 } } },
        { attributes: { a: { version: "x" }, b: { version: "1.2.3-a.1+b" } } },
        { attributes: { a: { string: "x".repeat(65) } } },
        { attributes: { "A b/c": { int: 1 } } },
        { capacity: { a: { value: "1Gi" }, "a b": { value: "1" } } },
        { capacity: { a: { value: "1Gi", requestPolicy: {} } } },
        { allowMultipleAllocations: true, capacity: { a: { value: "1Gi", requestPolicy: {} } } },
        { taints: [{}] },
        { taints: [{ key: "a", effect: "x" }] },
        { taints: [{ key: "a", effect: "NoSchedule" }] },
        { taints: [{ key: "a b", value: "c d", effect: "NoExecute" }] },
        { nodeName: "n" },
      ].map(device),
    ],
  },
  {
    name: "device-parts",
    steps: [
      slice({ driver: "A.b" }),
      device({ attributes: named(33, { int: 1 }) }),
      device({ attributes: named(20, { int: 1 }), capacity: named(13, { value: "1" }) }),
      ...[
        {},
        { nodeName: "x" },
        { nodeName: "" },
        { nodeName: "X", allNodes: true },
        { allNodes: false },
        { nodeSelector: { nodeSelectorTerms: [] } },
        { nodeSelector: { nodeSelectorTerms: [{}, {}] } },
      ].map((place) => placed(place)),
      ...[
        [["a"], ["b"]],
        [["a"], undefined],
        [undefined, ["a"]],
        [["a", "a"], ["a"]],
        [["a b", ""], ["c d"]],
        [many(5, String), many(5, String)],
      ].map(([bindingConditions, bindingFailureConditions]) => device({ bindingConditions, bindingFailureConditions })),
      capacity({}),
      capacity({ value: "10", requestPolicy: { default: "1" } }, false),
      ...[
        {},
        { default: "20" },
        { default: "1", validValues: ["1", "2"] },
        { default: "3", validValues: ["1", "2"] },
        { validValues: ["1"] },
        { default: "1", validValues: ["2", "1", "1", "20"] },
        { default: "0", validValues: many(11, String) },
        { default: "1", validValues: ["1"], validRange: { min: "1" } },
        { validRange: { min: "1" } },
      ].map((requestPolicy) => capacity({ value: "10", requestPolicy })),
      range("1", {}),
      range("1", { min: "1" }),
      range("1", { min: "2", max: "1", step: "3" }),
      range("1", { min: "20", max: "30", step: "40" }),
      range("3", { min: "2", max: "9", step: "2" }),
      range("4", { min: "2", max: "8", step: "2" }),
      range("9", { min: "2", max: "8", step: "2" }),
      range("1500m", { min: "500m", max: "1Ki", step: "500m" }),
      ...[
        [set],
        [{ name: "c", counters: {} }],
        [{ name: "c" }],
        [{ name: "", counters: { "A b": {} } }],
        [{ name: "c", counters: { m: {} } }, set],
        many(9, (at) => ({ name: `c${at}`, counters })),
        [{ name: "c", counters: named(33, { value: "1" }) }],
      ].map((sharedCounters) => slice({ sharedCounters })),
      slice({ sharedCounters: [set], devices: [{ name: "a" }] }),
      ...[
        [use],
        [{}],
        [{ counterSet: "", counters: {} }],
        [{ counterSet: "A", counters: { M: {} } }],
        [use, use],
        many(3, (at) => ({ counterSet: `c${at}`, counters })),
      ].map((consumesCounters) => device({ consumesCounters })),
    ],
  },
  {
    name: "device-status",
    steps: [
      {
        request: `POST ${claims}`,
        body: { metadata: { name: "s" }, spec: { devices: { requests: [request] } }, status: { allocation } },
        pick: shown,
      },
      status({}),
      status({ allocation: {} }),
      results(result),
      results({}),
      results({ request: "x", driver: "A b", pool: "A b/", device: "D d" }),
      ...[{}, { source: "x", opaque }, { source: "FromClass", opaque }].map((config) =>
        status({ allocation: { devices: { results: [result], config: [config] } } }),
      ),
      status({ allocation: { ...allocation, nodeSelector: {} } }),
      status({ allocation: { ...allocation, nodeSelector: { nodeSelectorTerms: [term("Exists")] } } }),
      status({ reservedFor: [consumer] }),
      ...[[consumer], [{}], [consumer, { ...consumer, name: "q" }]].map((reservedFor) =>
        status({ allocation, reservedFor }),
      ),
      status({ devices: [id] }),
      reports(id),
      reports(id, id),
      reports({}),
      reports({ ...id, device: "x" }),
      reports({ ...id, driver: "A b" }),
      reports({ ...id, data: { a: 1 } }),
      reports({ ...id, data: [] }),
      reports({ ...id, conditions: [{}] }),
      reports({ ...id, conditions: [condition] }),
      reports({ ...id, conditions: [condition, { ...condition, status: "x", reason: "a b", observedGeneration: -1 }] }),
      reports({ ...id, conditions: many(9, (at) => ({ ...condition, type: `a${at}` })) }),
      ...["x", "", uuid, uuid.toUpperCase(), uuid.replaceAll("-", ""), uuid.replace("0", "x")].flatMap((shareID) => [
        reports({ ...id, shareID }),
        results({ ...result, shareID }),
      ]),
      results({ ...result, bindingConditions: ["a", "a b"] }),
      network({}),
      network({ interfaceName: "e", ips: ["10.0.0.1/24", "fd00::1/64"], hardwareAddress: "aa" }),
      network({ ips: ["10.0.0.1", "10.0.0.1/33", "x", "010.0.0.1/24", "fd00:0::1/64", "::ffff:1.2.3.4/96"] }),
      network({ ips: ["10.0.0.1/24", "10.0.0.1/24"] }),
      network({ ips: many(17, (index) => `10.0.0.${index}/24`) }),
      network({ interfaceName: "e".repeat(257), hardwareAddress: "a".repeat(129) }),
      status({ allocation, reservedFor: [consumer] }, false),
      results({ ...result, device: "e" }),
      status({ allocation: null }),
      status({ allocation: null, reservedFor: null }),
      status({ reservedFor: [consumer, { resource: "pods", name: "q", uid: "v" }] }),
    ],
  },
];
