import { expect, it } from "vitest";
import { valueAt } from "../../../../src/apiserver/kinds/printing/field-access.ts";
import { namesOf, setAt } from "../../../../src/apiserver/registry/simple-path.ts";

it.each(["spec.constructor.prototype.polluted", "spec.__proto__.polluted"])("keeps %s inside the object", (path) => {
  const object = { apiVersion: "v1", kind: "Any", metadata: {}, spec: {} };
  expect(valueAt(object, ...namesOf(path))).toBeUndefined();
  setAt(object, path, 7);
  expect(valueAt(object, ...namesOf(path))).toBe(7);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});
