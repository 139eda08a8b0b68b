import { expect, it } from "vitest";
import { hasFailed, unadopted } from "../../../src/check/oracles/judge-adoption.ts";
import type { Plan } from "../../../src/check/plans/plan.ts";
import { maskOf, type ObjectState } from "../../../src/check/world/object-state.ts";
import { emptyRecord } from "./empty-record.ts";

const stateOf = (id: string, value: string): ObjectState => new Map([[id, new Map([["spec.command", value]])]]);
const objectOf = (kind: string, id: string): ObjectState =>
  new Map([[id, new Map(Object.entries({ kind, "metadata.name": "input", "data.key": kind }))]]);
const both = (...states: ObjectState[]): ObjectState => new Map(states.flatMap((state) => [...state]));

/** Returns what is said of a change, by default one of a custom resource that turns nothing off. */
function judge(
  usual: ObjectState,
  changed: ObjectState,
  born: ObjectState,
  { kind = "At", ...more }: { readonly kind?: string; readonly turnsOff?: true } = {},
): ReturnType<typeof unadopted> {
  const target = { apiVersion: "v1", kind, name: "input" };
  const step = { name: "change", action: { type: "patch", target, patch: {} } } as const;
  const id = `exploration:${kind}:spec.command:a value`;
  const plan: Plan = { id, faultClass: "exploration", description: "d", steps: [step, step, step], ...more };
  const custom = objectOf("At", "example.com/ats default/input");
  const isCustom = (other: string): boolean => other.startsWith("example.com/");
  return unadopted(
    { plan, usual: both(custom, usual), changed: both(custom, changed), isCustom },
    both(custom, born),
    maskOf([]),
  );
}

const off = { turnsOff: true } as const;

function causesOf(id: string): string[] {
  return judge(stateOf(id, "old"), stateOf(id, "old"), stateOf(id, "new")).map(({ about }) => about);
}

it("finds a field that only the creation of the custom resource sets", () => {
  expect(causesOf("apps/deployments default/a")).toEqual(["apps/deployments spec.command not adopted"]);
});

it("finds an object that only the creation with the value makes, and one that stays although the value turns it off", () => {
  const [none, service] = [new Map(), stateOf("/services default/a", "old")];
  expect(judge(none, none, service)[0]?.sentence).toMatch("/services default/a is missing");
  expect(judge(service, service, none, off)[0]?.sentence).toMatch("/services default/a exists, and should not");
  expect(judge(service, none, none, off)).toEqual([]);
});

it("ignores an object that another value leaves unchanged, such as the pod of a finished task", () => {
  const service = stateOf("/services default/a", "old");
  expect(judge(service, service, new Map())).toEqual([]);
});

it("checks of a change with an effect only whether it turns off the whole effect", () => {
  const [first, second] = ["a", "b"].map((name) => stateOf(`/services default/${name}`, "old")) as [
    ObjectState,
    ObjectState,
  ];
  const born = stateOf("/services default/a", "new");
  const changed = stateOf("/services default/a", "new");
  expect(judge(both(first, second), both(changed, second), born, off).map(({ about }) => about)).toEqual([
    "/services left not adopted",
  ]);
  expect(judge(both(first, second), changed, stateOf("/services default/a", "other"), off)).toEqual([]);
});

it("finds a copy that does not follow the Secret that it is made of, for want of a watch", () => {
  const input = objectOf("Secret", "/secrets default/input");
  const copyOf = (value: string): ObjectState => both(input, stateOf("/secrets default/copy", value));
  expect(judge(copyOf("old"), copyOf("old"), copyOf("new"), { kind: "Secret" })).toMatchObject([
    { about: "/secrets spec.command not adopted", hint: expect.stringContaining("a watch") as unknown },
  ]);
  expect(judge(copyOf("old"), copyOf("new"), copyOf("new"), { kind: "Secret" })).toEqual([]);
});

it.each(["/pods default/a", "batch/jobs default/a", "/secrets default/a", "example.com/ats default/a"])(
  "ignores %s",
  (id) => {
    expect(causesOf(id)).toEqual([]);
  },
);

it("checks whether a suspended job is resumed, and no other object that the server keeps unchanged", () => {
  const job = (suspend: string): ObjectState =>
    new Map([
      [
        "batch/jobs default/a",
        new Map([
          ["spec.suspend", suspend],
          ["spec.completions", suspend],
        ]),
      ],
    ]);
  const [violation] = judge(job("true"), job("true"), job("false"));
  expect(violation?.differences?.map(({ path }) => path)).toEqual(["spec.suspend"]);
});

it.each([
  ["an error of the usual run", "no such kind", false],
  ["a conflict", "the object has been modified", false],
  ["another error", "no such field", true],
])("decides whether a creation has failed: %s", (_, message, failed) => {
  const usual = { ...emptyRecord, errors: [{ step: "start", message: "no such kind", count: 1, last: 0 }] };
  expect(hasFailed({ ...emptyRecord, errors: [{ step: "create", message, count: 1, last: 0 }] }, usual)).toBe(failed);
});
