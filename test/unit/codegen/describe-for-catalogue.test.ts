import { expect, it } from "vitest";
import { loadProjectTypes } from "../../../src/codegen/run-generators.ts";
import { memoryDisk } from "../../../src/files/memory-disk.ts";

const source = `
// +groupName=example.com
import type { ObjectMeta } from "tsop";

/**
 * +kubebuilder:object:root=true
 * +operator-sdk:csv:customresourcedefinitions:displayName="My Cache",resources={{Deployment,v1,cache},{Service,v1}},order=2
 */
export interface Cache {
  metadata: ObjectMeta;
  spec: Spec;
  status?: { /** +operator-sdk:csv:customresourcedefinitions:type=status */ nodes?: string[] };
}

interface Base {
  // image says what runs
  // +operator-sdk:csv:customresourcedefinitions:type=spec,xDescriptors={"urn:a","urn:b"},order=1
  image: string;
}

interface Spec extends Base {
  // +operator-sdk:csv:customresourcedefinitions:type=spec,displayName="Replicas"
  size: number;
  containers: { /** +operator-sdk:csv:customresourcedefinitions:type=spec */ port: number }[];
  byName: Record<string, Base>;
  // +operator-sdk:csv:customresourcedefinitions:type=status
  ignored: string;
}
`;

it("collects the CSV markers in order and with paths", async () => {
  const { kinds } = await loadProjectTypes({ root: "/p", disk: memoryDisk({ "/p/api/v1/types.ts": source }) });
  expect(kinds[0]?.catalogue).toEqual({
    displayName: "My Cache",
    order: 2,
    resources: [
      { kind: "Deployment", version: "v1", name: "cache" },
      { kind: "Service", version: "v1", name: "" },
    ],
    specDescriptors: [
      { path: "byName.image", description: "image says what runs", xDescriptors: ["urn:a", "urn:b"], order: 1 },
      { path: "image", description: "image says what runs", xDescriptors: ["urn:a", "urn:b"], order: 1 },
      { path: "containers[0].port", xDescriptors: [] },
      { path: "size", displayName: "Replicas", xDescriptors: [] },
    ],
    statusDescriptors: [{ path: "nodes", xDescriptors: [] }],
  });
});

const marker = "+operator-sdk:csv:customresourcedefinitions";

// What operator-sdk makes of the same markers of a Go type.
it.each([
  ["displayName=", { resources: [], specDescriptors: [] }],
  ["resources=", { resources: [] }],
  ["resources={{Pod,v1,}}", { resources: [{ kind: "Pod", version: "v1", name: "" }] }],
])("reads an empty argument of a kind as operator-sdk does: %s", async (argument, entry) => {
  expect(await catalogueOf(`/** ${marker}:${argument} */`, "")).toMatchObject(entry);
});

it.each([
  ["type=", []],
  ["type=spec,displayName=", [{ path: "size", xDescriptors: [] }]],
  ["type=spec,xDescriptors=", [{ path: "size", xDescriptors: [] }]],
  ['type=spec,xDescriptors={"a",}', [{ path: "size", xDescriptors: ["a"] }]],
  ["type=spec,xDescriptors=a;", [{ path: "size", xDescriptors: ["a"] }]],
  ['type=spec,xDescriptors=""', [{ path: "size", xDescriptors: [""] }]],
  ['type=spec,xDescriptors={"a",""}', [{ path: "size", xDescriptors: ["a", ""] }]],
])("reads an empty argument of a field as operator-sdk does: %s", async (argument, specDescriptors) => {
  expect(await catalogueOf("", `/** ${marker}:${argument} */`)).toMatchObject({ specDescriptors });
});

async function catalogueOf(ofKind: string, ofField: string) {
  const text = `// +groupName=example.com
import type { ObjectMeta } from "tsop";
// +kubebuilder:object:root=true
${ofKind}
export interface Cache {
  metadata: ObjectMeta;
  spec: {
    ${ofField}
    size: string;
  };
}
`;
  const { kinds } = await loadProjectTypes({ root: "/p", disk: memoryDisk({ "/p/api/v1/types.ts": text }) });
  return kinds[0]?.catalogue;
}
