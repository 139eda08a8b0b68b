import { describe, expect, it } from "vitest";
import {
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
} from "../../../../../src/apiserver/endpoints/discovery/group-lists.ts";
import { recorded } from "../../recorded/recorded.ts";
import { servedResources } from "./served-resources.ts";

const real = recorded("discovery");
const resources = servedResources(Object.values(real["lists"]));

describe("discovery for clients that do not aggregate", () => {
  it("lists versions of the core group", () => {
    expect(apiVersions("127.0.0.1:6443")).toEqual(real["versions"]);
  });

  it("lists groups", () => {
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    const ours = apiGroupList(resources);
    expect({ ...ours, groups: ours.groups.toSorted(byName) }).toEqual({
      ...real["list"],
      groups: real["list"].groups.toSorted(byName),
    });
  });

  it("puts the preferred version of a group first, whatever the order of its resources", () => {
    expect(apiGroup("autoscaling", resources.toReversed())).toEqual(real["group"]);
  });

  it.each(Object.keys(real["lists"]))("lists the resources of %s", (groupVersion) => {
    const [version = "", group = ""] = groupVersion.split("/").reverse();
    const expected = real["lists"][groupVersion];
    // A real server lists custom resources in no particular order.
    if (group === "example.com") expected.resources.sort(byResource);
    // The recording is without the hashes, which built-in resources do not have here.
    const ours = JSON.stringify(apiResourceList(group, version, resources), (name, value: unknown) =>
      name === "storageVersionHash" ? undefined : value,
    );
    expect(ours).toBe(JSON.stringify(expected));
  });

  it("returns undefined for groups and versions that are not served", () => {
    expect(apiGroup("nope.example.com", resources)).toBeUndefined();
    expect(apiGroup("", resources)).toBeUndefined();
    expect(apiResourceList("apps", "v9", resources)).toBeUndefined();
  });
});

function byResource(a: { name: string }, b: { name: string }): number {
  return a.name.split("/")[0]!.localeCompare(b.name.split("/")[0]!);
}
