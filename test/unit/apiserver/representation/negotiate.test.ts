import { describe, expect, it } from "vitest";
import type { ApiError } from "../../../../src/apimachinery/status.ts";
import { negotiate, wantsAggregatedDiscovery } from "../../../../src/apiserver/representation/negotiate.ts";

const json = { mediaType: "application/json", version: "v1" };
const protobuf = { mediaType: "application/vnd.kubernetes.protobuf", version: "v1" };
const yaml = { mediaType: "application/yaml", version: "v1" };
const table = { ...json, as: "Table" };
const metadata = "as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

// What kube-apiserver 1.36 answers to these headers.
describe("negotiate", () => {
  it.each([
    [undefined, json],
    ["", json],
    ["*/*", json],
    ["application/json;charset=utf-8", json],
    ["application/json;foo=bar", json],
    ["application/json;pretty=1", json],
    ["application/json;stream=watch", json],
    ["application/json;q=0", json],
    ["application/json;q=abc", json],
    ["application/yaml", yaml],
    ["text/html, application/json;q=0.5", json],
    ["text/html;q=0.9,*/*;q=0.1", json],
    ["application/yaml, application/json", yaml],
    ["*/*, application/yaml", yaml],
    ["application/yaml;q=0.5, */*;q=0.6", json],
    ["text/plain;q=1,application/yaml;q=0.2,application/json;q=0.8", json],
    ["application/vnd.kubernetes.protobuf,application/json", protobuf],
    ["application/vnd.kubernetes.protobuf;q=0.1,application/json", json],
    ["application/vnd.kubernetes.protobuf;stream=watch", protobuf],
    [`application/vnd.kubernetes.protobuf;${metadata}`, { ...protobuf, as: "PartialObjectMetadata" }],
    ["application/json;as=Table;v=v1;g=meta.k8s.io", table],
    ["application/json;as=Table;v=v1beta1;g=meta.k8s.io", { ...table, version: "v1beta1" }],
    ["application/yaml;as=Table;v=v1;g=meta.k8s.io", { ...table, mediaType: "application/yaml" }],
    ["*/*;as=Table;v=v1;g=meta.k8s.io", table],
    ["application/json;as=Table;v=v2;g=meta.k8s.io,application/json", json],
    ["application/json;as=Table;v=v1;g=meta.k8s.io;q=0.1,application/json", json],
    ["application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json", json],
    [`application/yaml;${metadata}`, { ...yaml, as: "PartialObjectMetadata" }],
    [`application/json;${metadata},application/json`, { ...json, as: "PartialObjectMetadata" }],
  ])("reads %j", (accept, expected) => {
    expect(negotiate(accept)).toEqual(expected);
  });

  it.each([
    ["application/vnd.kubernetes.protobuf,application/json", json],
    [`application/vnd.kubernetes.protobuf;${metadata}`, { ...protobuf, as: "PartialObjectMetadata" }],
  ])("reads %j of a custom resource", (accept, expected) => {
    expect(negotiate(accept, { isRouted: false, streams: false, hasMessages: false, hasTables: true })).toEqual(
      expected,
    );
  });

  it.each(["application/*", "text/html", ";;;", '"foo', "Application/JSON"])("refuses %j", (accept) => {
    expect(refusal(accept)).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message:
        "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf",
      reason: "NotAcceptable",
      details: {},
      code: 406,
    });
  });

  it.each([
    "application/json;as=Table",
    "application/json;as=Table;v=v1",
    "application/json;as=Table;g=meta.k8s.io",
    "application/json;as=Table;v=v2;g=meta.k8s.io",
    "application/json;as=Foo;v=v1;g=meta.k8s.io",
    "application/json;AS=Table;v=v1;g=meta.k8s.io",
    "application/json;stream=foo",
  ])("refuses the parameters of %j", (accept) => {
    expect(refusal(accept)).toMatchObject({
      message:
        "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
      code: 406,
    });
  });
});

describe("wantsAggregatedDiscovery", () => {
  const v2 = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const v2beta1 = v2.replace("v=v2", "v=v2beta1");
  it.each([
    [`${v2},${v2beta1},application/json`, true],
    [v2, true],
    [`${v2beta1},application/json`, false],
    [`application/json,${v2}`, true],
    ["application/json", false],
    ["*/*", false],
    [undefined, false],
  ])("of %j is %j", (accept, expected) => {
    expect(wantsAggregatedDiscovery(accept)).toBe(expected);
  });
});

function refusal(accept: string): unknown {
  try {
    return negotiate(accept);
  } catch (error) {
    return (error as ApiError).status;
  }
}
