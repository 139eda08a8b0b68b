import { expect, it } from "vitest";
import type { Conversion, Loss } from "../../../../src/check/conversion/conversion.ts";
import { judgeConversions, type Judging } from "../../../../src/check/conversion/judge-conversions.ts";
import { shrinkLoss, type Accepts } from "../../../../src/check/conversion/shrink-loss.ts";
import type { KubeObject, UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import { changing, Hub, Spoke, versionOf } from "./caches.ts";

const dropping = changing((result) => {
  for (const item of (result.spec["env"] ?? []) as { value?: string }[]) delete item.value;
});
const judging: Judging = {
  versions: [Hub, Spoke].map(versionOf),
  convert: async (objects, to) => Promise.all(objects.map((object) => dropping.convert(object as KubeObject, to))),
  isLenient: false,
};
const large: UnstructuredObject = {
  apiVersion: "cache.example.com/v1",
  kind: "Cache",
  metadata: { name: "sample-17", namespace: "default", labels: { a: "b" } },
  spec: {
    image: "registry.example.com/cache:1",
    mode: "Safe",
    replicas: 3,
    env: [{ name: "first" }, { name: "second", value: "long" }],
    labels: { a: "b" },
  },
  status: { ready: 3 },
};

async function shrink(conversion: Conversion, accepts: Accepts = async () => true): Promise<Conversion> {
  const [losses] = await judgeConversions([conversion], judging);
  return (await shrinkLoss(losses![0]!, judging, accepts)).conversion;
}

const to = "cache.example.com/v1alpha1";

it("leaves out what does not matter, and keeps the object valid", async () => {
  expect((await shrink({ object: large, to })).object).toEqual({
    apiVersion: "cache.example.com/v1",
    kind: "Cache",
    metadata: { name: "sample" },
    spec: { image: "a", mode: "Safe", env: [{ name: "a", value: "a" }] },
  });
});

it("leaves out a change that does not matter", async () => {
  const change = { op: "replace", path: "/spec/size", value: 4 };
  expect((await shrink({ object: large, to, change })).change).toBeUndefined();
});

it("keeps what the server insists on", async () => {
  const accepts: Accepts = async ({ spec }) => (spec as { replicas?: number }).replicas !== undefined;
  const { object } = await shrink({ object: large, to }, accepts);
  expect(object["spec"]).toEqual({ image: "a", mode: "Safe", replicas: 3, env: [{ name: "a", value: "a" }] });
});

it("keeps the mistake of an invalid object", async () => {
  const mistake = { op: "replace", path: "/spec/env/1/value", value: ["wrong"] };
  const env = [{ name: "first" }, { name: "second", value: ["wrong"] }];
  const object = { ...large, spec: { ...(large["spec"] as object), env } };
  const [losses] = await judgeConversions([{ object, to, mistake }], judging);
  expect(losses!.map(({ rule }: Loss) => rule)).toEqual(["invalid-accepted"]);
  const smallest = await shrink({ object, to, mistake });
  expect(smallest.object["spec"]).toEqual({ env: [{}, { value: ["wrong"] }] });
});
