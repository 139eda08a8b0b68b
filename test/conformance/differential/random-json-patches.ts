import { jsonPatch, type RequestStep, type Scenario } from "../apiserver/scenario.ts";
import { mutate, pick, type Random } from "./mutate.ts";
import { pathsOf } from "./paths-of.ts";
import type { Subject } from "./subject.ts";

const free = { "a/b": 1, "m~n": ["x", "y", ["z", { k: 1 }]], "": { "": 0 }, n: null, "0": "zero", "-": [[]] };

/** Generates JSON patches of one object of a custom kind, with unusual keys, indexes and paths. */
export function randomJsonPatches(name: string, { path, object }: Subject, random: Random): Scenario {
  const body = { ...object, spec: { ...object.spec, free } };
  const paths = pathsOf({ spec: body.spec }, "");
  const steps: RequestStep[] = [{ request: `POST ${path}`, body }];
  const length = 5 + Math.floor(random() * 6);
  while (steps.length < length) {
    const count = 1 + Math.floor(random() * 3);
    const operations = Array.from({ length: count }, () => operation(paths, body, random));
    const query = random() < 0.2 ? pick(["?fieldValidation=Ignore", "?fieldValidation=Strict"], random) : "";
    steps.push({ request: `PATCH ${path}/${object.metadata.name}${query}`, headers: jsonPatch, body: operations });
  }
  return { name, steps };
}

function operation(paths: readonly string[], object: any, random: Random): unknown {
  if (random() < 0.02) return pick<unknown>([null, 1, "a", [], {}, true], random);
  const op = pick(["add", "replace", "remove", "test", "copy", "move"], random);
  const path = pathOf(paths, random);
  const value = random() < 0.5 ? valueAt(object, path) : mutate(pick(["a", 1, { a: "b" }, ["x"]], random), random);
  const whole: Record<string, unknown> = { op, path, from: pathOf(paths, random), value };
  if (random() < 0.05) delete whole[pick(Object.keys(whole), random)];
  if (random() < 0.03) whole[pick(Object.keys(whole), random)] = pick<unknown>([null, 1, "", [], "test"], random);
  if (random() < 0.02) whole["unknown"] = 1;
  return whole;
}

function pathOf(paths: readonly string[], random: Random): string {
  const path = pick(random() < 0.6 ? paths.filter((each) => each.startsWith("/spec/free")) : paths, random);
  const chance = random();
  if (chance < 0.55) return path;
  const end = pick(["-", "0", "-1", "1", "7", "-7", "01", "+1", "1.0", "x", "", "~0", "~1", "~", "~2", " "], random);
  if (chance < 0.75) return path.replace(/[^/]*$/, end);
  if (chance < 0.95) return `${path}/${end}`;
  return pick([path.slice(1), `${path}/`, path.replaceAll("~1", "/"), "", "/", "spec"], random);
}

function valueAt(object: any, path: string): unknown {
  return path
    .split("/")
    .slice(1)
    .reduce((value, key) => value?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], object);
}
