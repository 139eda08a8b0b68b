import { strategic, type RequestStep, type Scenario } from "../apiserver/scenario.ts";
import { mutate, pick, type Random } from "./mutate.ts";
import type { Subject } from "./subject.ts";

/** Generates strategic merge patches of one object, with directives in the right and in wrong places. */
export function randomDirectives(name: string, { path, object, parts }: Subject, random: Random): Scenario {
  const at = `${path}/${object.metadata.name}`;
  const steps: RequestStep[] = [{ request: `POST ${path}`, body: object }];
  const length = 5 + Math.floor(random() * 4);
  while (steps.length < length) {
    const part = parts && random() < 0.15 ? `/${pick(parts, random)}` : "";
    const query = random() < 0.2 ? pick(["?fieldManager=m", "?fieldValidation=Strict"], random) : "";
    const { metadata, spec, status, ...rest } = object;
    const body = fields({ ...rest, metadata: { ...metadata, finalizers: ["a.b/c", "a.b/d"] }, spec, status }, random);
    for (const key of ["kind", "apiVersion"]) delete body[key];
    steps.push({ request: `PATCH ${at}${part}${query}`, headers: strategic, body, pick: withoutPatch });
  }
  return { name, steps, managedFields: true };
}

/** A refusal of the result shows what a real server has left of the patch. */
function withoutPatch(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (_key, value: unknown) =>
    typeof value === "string" ? value.replace(/(Invalid value: "map\[).*(\]": )/s, "$1…$2") : value,
  );
}

function patchOf(value: unknown, random: Random): unknown {
  if (random() < 0.04) return null;
  if (Array.isArray(value)) return typeof value[0] === "object" ? items(value, random) : scalars(value, random);
  if (typeof value === "object" && value !== null) return fields(value as Record<string, unknown>, random);
  return random() < 0.6 ? value : typeof value === "number" ? value + 1 : mutate(value, random);
}

function fields(value: Readonly<Record<string, unknown>>, random: Random): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    if (child === undefined || random() < 0.4) continue;
    if (random() < 0.85) patch[key] = patchOf(child, random);
    if (!Array.isArray(child) && random() < 0.98) continue;
    const list = Array.isArray(child) ? child : [child];
    if (random() < 0.25) patch[`$setElementOrder/${key}`] = order(list, random);
    // A real server takes a list and what is deleted from it in any order.
    if (!(key in patch) && random() < (typeof list[0] === "object" ? 0.04 : 0.5))
      patch[`$deleteFromPrimitiveList/${key}`] = scalars(list, random);
  }
  if (random() < 0.06) patch["$patch"] = pick(["merge", "replace", "delete", "other", null], random);
  if (random() < 0.06) {
    const kept = Object.keys(random() < 0.6 ? patch : value).filter((key) => !key.startsWith("$"));
    patch["$retainKeys"] = random() < 0.9 ? kept : pick<unknown>([null, "a", [1], kept.slice(1)], random);
  }
  return patch;
}

const keys = ["name", "containerPort", "mountPath", "port", "key", "type", "ip", "uid", "topologyKey"];

function items(list: readonly any[], random: Random): unknown {
  if (random() < 0.03) return pick<unknown>([{}, "a", [["a"]], ["a"], []], random);
  const patch: unknown[] = [];
  for (const item of list) {
    const key = keys.find((each) => each in item) ?? "name";
    const id = { [key]: item[key] };
    const chance = random();
    if (chance < 0.15) patch.push({ ...id, $patch: pick(["delete", "delete", "delete", "merge", "other"], random) });
    else if (chance < 0.3) patch.push({ ...item, [key]: another(item[key]) });
    else if (chance < 0.8) patch.push({ ...(fields(item, random) as object), ...(random() < 0.95 && id) });
  }
  if (random() < 0.1) patch.push({ $patch: "replace" });
  return random() < 0.2 ? patch.toReversed() : patch;
}

function another(key: unknown): unknown {
  return typeof key === "number" ? key + 1 : `${String(key)}x`;
}

function scalars(list: readonly unknown[], random: Random): unknown {
  if (random() < 0.04) return pick<unknown>([null, "a", {}, [null], [{ a: "b" }], []], random);
  const patch = list.filter(() => random() < 0.5);
  if (random() < 0.5) patch.push(random() < 0.9 ? "a.b/e" : pick<unknown>(["", 1, null, "a.b/c"], random));
  return patch;
}

function order(list: readonly any[], random: Random): unknown {
  if (random() < 0.05) return pick<unknown>([null, "a", {}, [null], [{ a: "b" }], []], random);
  const wanted: unknown[] = list.map((item) => {
    if (typeof item !== "object") return item;
    const key = keys.find((each) => each in item) ?? "name";
    return { [key]: random() < 0.8 ? item[key] : another(item[key]) };
  });
  if (random() < 0.3) wanted.reverse();
  return random() < 0.8 ? wanted : wanted.slice(1);
}
