import { apply, jsonPatch, merge, type RequestStep, type Scenario } from "../apiserver/scenario.ts";
import { pick, type Random } from "./mutate.ts";
import { pathsOf } from "./paths-of.ts";
import type { Subject } from "./subject.ts";

/** Generates applies of three managers, whose wishes change slowly, among other writes to the same object. */
export function randomApplies(name: string, subject: Subject, random: Random): Scenario {
  const { metadata, status, ...rest } = subject.object;
  const whole = { ...rest, metadata };
  const wishes = new Map(["one", "two", "three"].map((manager) => [manager, wish(whole, random)]));
  const at = `${subject.path}/${metadata.name}`;
  const steps: RequestStep[] = [];
  const length = 10 + Math.floor(random() * 6);
  while (steps.length < length) {
    const manager = pick([...wishes.keys()], random);
    const chance = random();
    if (chance < 0.7) {
      wishes.set(manager, vary(wishes.get(manager), random));
      const force = random() < 0.5 ? "&force=true" : "";
      const isStatus = status !== undefined && random() < 0.15;
      const version = subject.versions ? pick(subject.versions, random) : undefined;
      const body = { ...wishes.get(manager), ...(isStatus && { status: vary(status, random) }) };
      const request = `PATCH ${at}${isStatus ? "/status" : ""}?fieldManager=${manager}${force}`;
      steps.push(
        version
          ? { request: request.replace(/v\d/, version), headers: apply, body: ofVersion(body, version) }
          : { request, headers: apply, body },
      );
    } else if (chance < 0.8) {
      const body = vary(wish(whole, random), random);
      delete body.kind;
      delete body.apiVersion;
      steps.push({ request: `PATCH ${at}?fieldManager=${pick(["one", "other"], random)}`, headers: merge, body });
    } else if (chance < 0.86) {
      steps.push({ request: `PUT ${at}?fieldManager=${pick(["one", "other"], random)}`, body: vary(whole, random) });
    } else if (chance < 0.92) {
      const body = [{ op: "remove", path: pick(pathsOf(whole.spec ?? {}, "/spec"), random) }];
      steps.push({ request: `PATCH ${at}?fieldManager=other`, headers: jsonPatch, body });
    } else if (chance < 0.95) {
      const body = { metadata: { managedFields: pick([[{}], [], null], random) } };
      steps.push({ request: `PATCH ${at}`, headers: merge, body });
    } else steps.push({ request: `GET ${at}` });
  }
  return { name, steps, managedFields: true };
}

function ofVersion(body: any, version: string): unknown {
  return { ...body, apiVersion: body.apiVersion.replace(/v\d/, version) };
}

/**
 * Returns some of the fields, without objects that are empty then: if those are metadata, a real server writes the
 * object again whenever a second has passed.
 */
function wish(value: any, random: Random): any {
  if (Array.isArray(value)) return value.filter(() => random() < 0.8).map((item) => wish(item, random));
  if (typeof value !== "object" || value === null) return value;
  const chosen = Object.entries(value).filter(([key]) => needed.has(key) || random() < 0.8);
  const entries = chosen.map(([key, child]) => [key, wish(child, random)] as const);
  return Object.fromEntries(entries.filter(([key, child]) => !isEmpty(child) || isEmpty(value[key])));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

const needed = new Set([
  "apiVersion",
  "kind",
  "metadata",
  "name",
  "key",
  "containerPort",
  "port",
  "mountPath",
  "image",
]);
const ids = ["name", "key", "containerPort", "port", "mountPath", "type"];

/** Returns a copy in which one value has changed, or an item or a field has come or gone. */
function vary(value: any, random: Random): any {
  if (Array.isArray(value)) return varyList(value, random);
  if (typeof value !== "object" || value === null) return another(value, random);
  const names = Object.keys(value).filter((key) => !["apiVersion", "kind", "name", "selector"].includes(key));
  if (names.length === 0) return value;
  const name = pick(names, random);
  const { [name]: child, ...others } = value;
  if (random() < 0.1 && !needed.has(name) && !isEmpty(others)) return others;
  if (name === "metadata")
    return { ...value, metadata: { ...child, labels: { [pick(["app", "b"], random)]: pick(["a", "c"], random) } } };
  return { ...value, [name]: vary(child, random) };
}

function varyList(list: readonly any[], random: Random): unknown {
  const chance = random();
  if (list.length === 0) return list;
  const at = Math.floor(random() * list.length);
  if (chance < 0.15) return list.toSpliced(at, 1);
  if (chance < 0.25) return list.toReversed();
  if (chance < 0.5) {
    const item = list[at];
    if (typeof item !== "object") return [...list, another(item, random)];
    const id = ids.find((key) => key in item);
    return id ? [...list, { ...item, [id]: another(item[id], random) }] : [...list, item];
  }
  return list.with(at, vary(list[at], random));
}

function another(value: unknown, random: Random): unknown {
  if (typeof value === "number") return value + pick([0, 1, 1], random);
  if (typeof value === "boolean") return !value;
  return typeof value === "string" ? pick([value, "x", "y"], random) : value;
}
