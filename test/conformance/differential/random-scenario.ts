import type { RequestStep, Scenario } from "../apiserver/scenario.ts";
import { mutate, pick, type Random } from "./mutate.ts";
import { pathsOf } from "./paths-of.ts";
import type { Subject } from "./subject.ts";

/** Generates requests for one object: mostly almost valid, so that they pass the first checks. */
export function randomScenario(name: string, subject: Subject, random: Random): Scenario {
  const steps: RequestStep[] = [];
  const copyObject = () => structuredClone(subject.object);
  steps.push(create(subject, random() < 0.5 ? copyObject() : mutateBody(copyObject(), random), random));
  if (random() < 0.5) steps.push({ request: `POST ${subject.path}`, body: copyObject() });
  if (subject.settled) steps.push(waitForControllers(subject));
  const length = 2 + Math.floor(random() * 4);
  while (steps.length < length) steps.push(write(subject, random));
  steps.push({ request: `GET ${subject.path}/${subject.object.metadata.name}` });
  return { name, steps, managedFields: true };
}

/** Returns a request that waits until the server's controllers have set the fields of a new object. */
function waitForControllers({ path, object, settled }: Subject): RequestStep {
  return {
    request: `GET ${path}/${object.metadata.name}`,
    until: (body, status) => status !== 200 || settled!(body),
    unrecorded: true,
  };
}

function create({ path }: Subject, body: unknown, random: Random): RequestStep {
  return { request: `POST ${path}${query(random)}`, body };
}

function write(subject: Subject, random: Random): RequestStep {
  const at = `${subject.path}/${subject.object.metadata.name}`;
  const part = subject.parts && random() < 0.2 ? `/${pick(subject.parts, random)}` : "";
  const body = mutateBody(structuredClone(subject.object), random);
  switch (Math.floor(random() * 7)) {
    case 0:
    case 1:
      return {
        request: `PATCH ${at}${part}${query(random)}`,
        headers: type("merge-patch+json"),
        body: someOf(body, random),
      };
    case 2:
      return {
        request: `PATCH ${at}${part}${query(random)}`,
        headers: type("strategic-merge-patch+json"),
        body: someOf(body, random),
      };
    case 3:
    case 4: {
      const manager = pick(["one", "two"], random);
      const force = random() < 0.5 ? "&force=true" : "";
      const request = `PATCH ${at}${part}?fieldManager=${manager}${force}`;
      return { request, headers: type("apply-patch+yaml"), body: pickAppliedFields(body, random) };
    }
    case 5:
      return { request: `PUT ${at}${part}${query(random)}`, body };
    default:
      return random() < 0.5
        ? {
            request: `PATCH ${at}${part}${query(random)}`,
            headers: type("json-patch+json"),
            body: operations(subject.object, random),
          }
        : { request: `DELETE ${at}${query(random)}`, body: mutate(options, random) };
  }
}

const options = { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background", gracePeriodSeconds: 0 };

function query(random: Random): string {
  return random() < 0.6
    ? ""
    : pick(["?fieldValidation=Strict", "?fieldValidation=Ignore", "?dryRun=All", "?fieldManager=m"], random);
}

function type(subtype: string): Record<string, string> {
  return { "content-type": `application/${subtype}` };
}

function mutateBody(body: any, random: Random): unknown {
  const changed = random() < 0.8 ? mutate(body, random) : body;
  return random() < 0.3 ? mutate(changed, random) : changed;
}

/** Returns a few of the fields, as a patch has. */
function someOf(body: any, random: Random): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === "object" && value !== null && !Array.isArray(value) && random() < 0.8
        ? Object.fromEntries(Object.entries(value).filter(() => random() < 0.5))
        : value,
    ]),
  );
}

/** Drops the fields that an apply would only repeat. */
function pickAppliedFields(body: any, random: Random): unknown {
  if (typeof body?.spec !== "object" || body.spec === null || Array.isArray(body.spec)) return body;
  return { ...body, spec: Object.fromEntries(Object.entries(body.spec).filter(() => random() < 0.6)) };
}

function operations(object: any, random: Random): unknown {
  const paths = pathsOf(object, "");
  return Array.from({ length: 1 + Math.floor(random() * 2) }, () => {
    const op = pick(["add", "replace", "remove", "test", "copy", "move"], random);
    const path = pick(paths, random) + (random() < 0.1 ? "/-" : "");
    return {
      op,
      path,
      from: pick(paths, random),
      value: mutate(pick(["a", 1, true, { a: "b" }, ["x"]], random), random),
    };
  });
}
