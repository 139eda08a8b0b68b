import { customKind, schemaOf } from "../apiserver/custom-kind.ts";
import type { Subject } from "./subject.ts";

const text = { type: "string" };
const item = { type: "object", required: ["key"], properties: { key: text, value: text, count: { type: "integer" } } };
const byKey = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key"] };
const whole = { "x-kubernetes-map-type": "atomic" };

function version(name: string, isFirst: boolean): object {
  const schema = schemaOf({
    name: text,
    list: { type: "array", items: item, ...byKey },
    tags: { type: "array", items: text, "x-kubernetes-list-type": "atomic" },
    map: { type: "object", additionalProperties: text, ...(isFirst && whole) },
    struct: { type: "object", properties: { a: text, b: text }, ...(!isFirst && whole) },
    size: { type: "integer" },
  });
  return { name, served: true, storage: isFirst, schema: { openAPIV3Schema: schema }, subresources: { status: {} } };
}

const twins = customKind("twin", {}, { versions: [version("v1", true), version("v2", false)] });

export const twinCrd: any = twins.crd;

/** A kind with two versions, each of which gives one part to a manager as a whole that the other divides. */
export const twin: Subject = {
  path: twins.path,
  object: twins.object("a", {
    spec: {
      name: "n",
      list: [
        { key: "k", value: "1" },
        { key: "l", count: 2 },
      ],
      tags: ["x", "y"],
      map: { a: "b", c: "d" },
      struct: { a: "1", b: "2" },
      size: 3,
    },
    status: { a: "b", list: [{ x: 1 }] },
  }),
  parts: ["status"],
  versions: ["v1", "v2"],
};
