import { expect, it } from "vitest";
import { Latest } from "../../../../src/apiserver/storage/event-ring.ts";
import type { Call } from "../../../../src/apiserver/verbs/request/call.ts";
import { protobufEvents } from "../../../../src/apiserver/representation/respond.ts";

it("writes an object for each watcher in the version that it asked for", () => {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  const core = { eventTexts: new Latest() } as unknown as Call["core"];
  for (const version of ["v1", "v1beta1"] as const) {
    const mediaType = "application/vnd.kubernetes.protobuf";
    const format = protobufEvents({ core }, { mediaType, as: "PartialObjectMetadata", version });
    const said = /meta\.k8s\.io\/(\w+)/.exec(format.event("ADDED", object, true) ?? "");
    expect(said?.[1]).toBe(version);
  }
});
