import { describe, expect, it } from "vitest";
import {
  checkApiVersion,
  checkDns1035Label,
  checkDns1123Subdomain,
  checkKindName,
  pluralize,
} from "../../../src/apimachinery/names.ts";

describe("pluralize", () => {
  // Recorded from flect 1.0.3.
  it.each(
    Object.entries({
      memcached: "memcacheds",
      policy: "policies",
      gateway: "gateways",
      gatewayclass: "gatewayclasses",
      redis: "redis",
      kafka: "kafkas",
      bus: "buses",
      busybox: "busyboxes",
      leaf: "leaves",
      endpoints: "endpoints",
      endpointslice: "endpointslices",
      status: "statuses",
      virus: "viruses",
      analysis: "analyses",
      index: "indices",
      myindex: "myindices",
      schema: "schemas",
      data: "data",
      quiz: "quizzes",
      fish: "fish",
      axis: "axes",
      mouse: "mice",
      woman: "women",
      knife: "knives",
      captain: "captains",
    }),
  )("%s → %s", (word, plural) => {
    expect(pluralize(word)).toBe(plural);
  });
});

describe("names", () => {
  it.each([
    [checkKindName, ["Memcached", "A", "HTTPRoute2"], ["memcached", "First-Mate", "Object", "", "Pod ", "Ärger"]],
    [checkApiVersion, ["v1", "v2beta3", "v1alpha1"], ["1", "v0", "v1.2", "latest", "v1gamma1", "v1alpha0"]],
    [checkDns1035Label, ["a", "my-kinds"], ["1a", "-a", "a-", "A", "a.b", "a".repeat(64)]],
    [checkDns1123Subdomain, ["example.com", "1.a-b.c"], ["", "a..b", ".a", "a_b", "Example.com", "a-.b"]],
  ] as const)("%o", (check, good, bad) => {
    expect(good.filter((value) => check(value) !== undefined)).toEqual([]);
    expect(bad.filter((value) => check(value) === undefined)).toEqual([]);
  });
});
