import { expect, it } from "vitest";
import { ownerHint } from "../../../src/check/oracles/owner-hint.ts";
import { emptyRecord } from "./empty-record.ts";

const app = {
  apiVersion: "example.com/v2",
  kind: "App",
  metadata: { namespace: "default", name: "a", uid: "1" },
};
const request = { at: 0, step: "create", by: "user", verb: "", signature: "", occurrence: 0, status: 201 } as const;
const changes = [{ id: "example.com/apps default/a", before: undefined, after: app }];
const record = { ...emptyRecord, requests: [{ ...request, changes }] };

function hintOf(reference: object, namespace = "default"): string | undefined {
  const owner = { apiVersion: "example.com/v1", kind: "App", name: "a", uid: "1", ...reference };
  const metadata = { namespace, name: "child", ownerReferences: [owner] };
  return ownerHint({ apiVersion: "v1", kind: "Service", metadata }, record);
}

it("gives no hint for a reference to the owner in any version, or to an unknown object", () => {
  expect(hintOf({})).toBeUndefined();
  expect(hintOf({ kind: "Other", uid: "2" })).toBeUndefined();
});

it.each([
  [
    { kind: "Application" },
    "its owner reference names Application a of example.com/v1, but the object with that uid is App a of example.com/v2",
  ],
  [
    { name: "b" },
    "its owner reference names App b of example.com/v1, but the object with that uid is App a of example.com/v2",
  ],
])("reports that %j is not the owner", (reference, hint) => {
  expect(hintOf(reference)).toBe(hint);
});

it("reports an owner in another namespace", () => {
  expect(hintOf({}, "other")).toBe("its owner is in another namespace, which a cluster does not accept as an owner");
});
