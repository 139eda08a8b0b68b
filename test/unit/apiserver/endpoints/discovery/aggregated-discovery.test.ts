import { loadBuiltins } from "../../../../../src/apimachinery/builtin/load-builtins.ts";
import { describe, expect, it } from "vitest";
import { aggregatedDiscovery } from "../../../../../src/apiserver/endpoints/discovery/aggregated-discovery.ts";
import { Documents } from "../../../../../src/apiserver/endpoints/documents.ts";
import { recorded } from "../../recorded/recorded.ts";
import { servedResources } from "./served-resources.ts";

const real = recorded("discovery");
const groupVersions = real["apis"].items.flatMap((group: any) =>
  group.versions.map((version: any) => `${group.metadata.name}/${version.version}`),
);
const resources = servedResources(["v1", ...groupVersions].map((groupVersion) => real["lists"][groupVersion]));

describe("aggregated discovery", () => {
  it.each([
    ["core", "api"],
    ["groups", "apis"],
  ] as const)("describes %s as a real server does", (scope, file) => {
    expect(aggregatedDiscovery(scope, resources).body).toBe(JSON.stringify(real[file]));
  });

  it("changes its ETag with its content only", () => {
    const first = aggregatedDiscovery("groups", resources);
    expect(first.etag).toMatch(/^"[0-9A-F]{128}"$/);
    expect(aggregatedDiscovery("groups", [...resources]).etag).toBe(first.etag);
    expect(aggregatedDiscovery("groups", resources.slice(0, -1)).etag).not.toBe(first.etag);
  });

  it("is rendered once while the resources stay", () => {
    let rows = resources;
    const documents = new Documents(loadBuiltins(), () => rows);
    const rendered = documents.discovery("core");
    expect(documents.discovery("core")).toBe(rendered);
    rows = resources.slice(0, -1);
    expect(documents.discovery("core")).not.toBe(rendered);
  });
});
