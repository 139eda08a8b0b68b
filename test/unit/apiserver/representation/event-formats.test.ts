import { expect, it } from "vitest";
import { protobufEvents } from "../../../../src/apiserver/representation/event-formats.ts";

it("tells each watcher of one object in the version that it asked for", () => {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  for (const version of ["v1", "v1beta1"] as const) {
    const mediaType = "application/vnd.kubernetes.protobuf";
    const format = protobufEvents({ mediaType, as: "PartialObjectMetadata", version });
    const said = /meta\.k8s\.io\/(\w+)/.exec(format.event("ADDED", object, true));
    expect(said?.[1]).toBe(version);
  }
});
