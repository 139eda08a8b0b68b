import { expect, it } from "vitest";
import { checkConversions } from "../../../../src/check/conversion/check-conversions.ts";
import type { Convert } from "../../../../src/check/conversion/convert-each.ts";
import type { Judging } from "../../../../src/check/conversion/judge-conversions.ts";
import type { KubeObject, UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import type { Converter } from "../../../../src/runtime/webhook/converter.ts";
import { checkConversion } from "../../../../src/testing/check-conversion.ts";
import { changing, correct, Hub, sample, Spoke, versionOf } from "./caches.ts";

const kinds = [Hub, Spoke];
const options = { samples: [sample] };

const search = { samples: [sample], seed: 1, count: 200 };

function judgingWith(converter: Converter): Judging {
  const convert: Convert = async (objects, to) =>
    Promise.all(objects.map((object) => converter.convert(object as KubeObject, to)));
  return { versions: kinds.map(versionOf), convert, isLenient: false };
}

async function namesOf(converter: Converter): Promise<string[]> {
  const { findings } = await checkConversion(converter, kinds, options);
  return findings.map(({ violation }) => violation.about);
}

it.each([1, 2, 3])("finds nothing in a correct converter with seed %d", async (seed) => {
  const { report, runs } = await checkConversion(correct, kinds, { ...options, count: 1000, seed });
  expect(report).toBe("");
  expect(runs).toBe(1000);
});

const toHub = "cache.example.com/v1";
/** Keeps all of the object in an annotation, which wins over what has changed since. */
const stale = changing((result, from, to) => {
  const key = `cache.example.com/${from.apiVersion!.split("/")[1]}`;
  const kept = from.metadata.annotations?.[`cache.example.com/${to.split("/")[1]}`];
  if (kept !== undefined) result.spec = JSON.parse(kept) as object as typeof result.spec;
  (result.metadata.annotations ??= {})[key] = JSON.stringify(from.spec);
});

it.each<[string, Converter, string[]]>([
  [
    "a field that is dropped",
    changing((result) => void delete result.spec["labels"]),
    ["Cache lost v1 spec.labels", "Cache lost v1alpha1 spec.labels"],
  ],
  [
    "a field without a place in the hub",
    changing((result, _from, to) => {
      if (to === toHub) result.metadata.annotations = {};
    }),
    ["Cache lost v1alpha1 spec.port", "Cache metadata v1alpha1 metadata.annotations.example.com/annotation"],
  ],
  [
    "a field of items that is dropped on one way",
    changing((result, _from, to) => {
      if (to !== toHub) for (const item of (result.spec["env"] ?? []) as { value?: string }[]) delete item.value;
    }),
    ["Cache lost v1 spec.env[*].value"],
  ],
  [
    "a field that is renamed one way only",
    changing((result, from, to) => {
      if (to !== toHub && from.spec["replicas"] !== undefined) {
        delete result.spec["size"];
        result.spec["replicas"] = from.spec["replicas"];
      }
    }),
    ["Cache lost v1 spec.replicas"],
  ],
  [
    "a default that comes back",
    changing((result, _from, to) => {
      if (to === toHub) result.spec["replicas"] ??= 3;
    }),
    ["Cache lost v1alpha1 spec.size"],
  ],
  [
    "a number that becomes a text",
    changing((result, _from, to) => {
      if (to !== toHub && "surge" in result.spec) result.spec["surge"] = String(result.spec["surge"]);
    }),
    ["Cache lost v1 spec.surge"],
  ],
  [
    "a zero that is taken for nothing",
    changing((result, _from, to) => {
      if (to !== toHub && !result.spec["image"]) delete result.spec["image"];
    }),
    ["Cache lost v1 spec.image"],
  ],
  [
    "a random value",
    changing((result) => void (result.spec["image"] = `${String(result.spec["image"])}-${Math.random()}`)),
    ["Cache unstable v1 spec.image", "Cache unstable v1alpha1 spec.image"],
  ],
  [
    "an annotation that is lost",
    changing((result, _from, to) => {
      if (to !== toHub) delete result.metadata.annotations;
    }),
    ["Cache metadata v1 metadata.annotations.example.com/annotation"],
  ],
  [
    "owners that are lost",
    changing((result, _from, to) => {
      if (to === toHub) delete result.metadata.ownerReferences;
    }),
    ["Cache metadata v1alpha1 metadata.ownerReferences"],
  ],
  [
    "an invalid object that is accepted as an empty one",
    changing((result, from) => {
      if (typeof from.spec["image"] !== "string") result.spec["image"] = "";
    }),
    ["Cache invalid-accepted v1 spec.image"],
  ],
  [
    "a valid object that is refused",
    changing((_result, from, to) => {
      if (to === toHub && from.spec["port"] === 65535) throw new Error(`port ${String(from.spec["port"])} is taken`);
    }),
    ["Cache refused v1alpha1 port … is taken"],
  ],
  [
    "a converter that changes its object",
    changing((_result, from) => void delete from.spec["mode"]),
    ["Cache mutated v1", "Cache mutated v1alpha1"],
  ],
  [
    "a change that an annotation overrules",
    stale,
    ["Cache change-ignored v1 spec.image", "Cache change-ignored v1alpha1 spec.image"],
  ],
])("finds %s", async (_name, converter, expected) => {
  expect(await namesOf(converter)).toEqual(expect.arrayContaining(expected));
});

it("finds what a change of another field removes", async () => {
  const port = "cache.example.com/port";
  // Trusts the annotation only if nothing has changed.
  const converter = changing((result, from, to) => {
    const { [port]: kept } = from.metadata.annotations ?? {};
    const key = "cache.example.com/seen";
    if (to === toHub) (result.metadata.annotations ??= {})[key] = JSON.stringify(result.spec);
    else if (kept !== undefined && from.metadata.annotations?.[key] !== JSON.stringify(from.spec))
      delete result.spec["port"];
  });
  expect(await namesOf(converter)).toEqual(["Cache not-kept v1alpha1 spec.port"]);
});

it("finds a list whose objects come back in another order, and one whose answer is short", async () => {
  const judging = judgingWith(correct);
  const rulesOf = async (damage: (answers: readonly unknown[]) => readonly unknown[]): Promise<string[]> => {
    const convert: Convert = async (objects, to) => damage(await judging.convert(objects, to));
    const { losses } = await checkConversions({ ...search, judging: { ...judging, convert } });
    return [...new Set(losses.map(({ rule }) => rule))];
  };
  expect(await rulesOf((answers) => answers)).toEqual([]);
  expect(await rulesOf((answers) => answers.toReversed())).toEqual(["batch"]);
  expect(await rulesOf((answers) => (answers.length > 1 ? answers.slice(1) : answers))).toEqual(["batch"]);
});

it("shows the smallest object and the lines of a test, which repeats the finding", async () => {
  const dropping = changing((result) => void delete result.spec["labels"]);
  const { findings, report } = await checkConversion(dropping, kinds, options);
  const finding = findings.find(({ violation }) => violation.about === "Cache lost v1alpha1 spec.labels");
  const { conversion } = finding!.plan;
  expect(conversion).toEqual({
    object: {
      apiVersion: "cache.example.com/v1alpha1",
      kind: "Cache",
      metadata: { name: "sample" },
      spec: { image: "a", labels: {}, mode: "Fast" },
    },
    to: "cache.example.com/v1",
  });
  expect(report).toContain("spec.labels of v1alpha1 comes back from v1 as nothing instead of {}.");
  expect(report).toContain("checkConversion(cacheConverter, [Hub, Cache], { cases: [conversion] })");
  const again = await checkConversion(dropping, kinds, { ...options, cases: [conversion!] });
  expect(again.findings.map(({ violation }) => violation.about)).toEqual(["Cache lost v1alpha1 spec.labels"]);
  expect((await checkConversion(correct, kinds, { ...options, cases: [conversion!] })).report).toBe("");
});

it("leaves out objects that a webhook refuses", async () => {
  const judging = judgingWith(changing((result) => void delete result.spec["labels"]));
  const accepts = async ({ spec }: UnstructuredObject): Promise<boolean> => !("labels" in (spec as object));
  expect((await checkConversions({ ...search, judging, accepts })).losses).toEqual([]);
});

it("takes a value that is empty or zero for one that is absent, if the types of a program do", async () => {
  const judging = judgingWith(
    changing((result) => {
      for (const [name, value] of Object.entries(result.spec))
        if (value === "" || (typeof value === "object" && Object.keys(value!).length === 0)) delete result.spec[name];
    }),
  );
  expect((await checkConversions({ ...search, judging: { ...judging, isLenient: true } })).losses).toEqual([]);
  expect((await checkConversions({ ...search, judging })).losses).not.toEqual([]);
});
