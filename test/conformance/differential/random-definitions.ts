import { crds } from "../apiserver/custom-kind.ts";
import { apply, jsonPatch, merge, type RequestStep, type Scenario } from "../apiserver/scenario.ts";
import { mutate, pick, type Random } from "./mutate.ts";
import { pathsOf } from "./paths-of.ts";
import { rootSchema, tighten } from "./random-schema.ts";
import { valueOf } from "./random-value.ts";

/** Generates a kind with a random schema, requests for an object, and a second schema that the object may not fit. */
export function randomSchemas(name: string, random: Random): Scenario {
  const group = `${name}.example.com`;
  const path = `/apis/${group}/v1/namespaces/{ns}/things`;
  const [first, second] = [rootSchema(random), rootSchema(random)];
  const next = random() < 0.5 ? second : tighten(first, random);
  // If the server refuses a definition, there is nothing to wait for.
  let accepted = true;
  const steps: RequestStep[] = [
    { request: `POST ${crds}`, body: crd(group, first, 1), until: (_, status) => ((accepted = status === 201), true) },
    awaitRevision(group, 1, () => accepted),
    { request: `GET ${path}`, until: (_, status) => !accepted || status === 200, unrecorded: true },
    ...writes(path, group, first, random),
    {
      request: `PATCH ${crds}/things.${group}`,
      headers: merge,
      body: { spec: { versions: versions(next, 2) } },
      until: (_, status) => ((accepted = status === 200), true),
    },
    awaitRevision(group, 2, () => accepted),
    { request: `GET ${path}/a` },
    ...writes(path, group, next, random),
    { request: `GET ${path}` },
    { request: `DELETE ${crds}/things.${group}`, unrecorded: true },
  ];
  return { name, steps, managedFields: true };
}

/** Generates definitions that are almost valid, and only checked. */
export function randomDefinitions(name: string, random: Random): Scenario {
  const steps = Array.from({ length: 12 }, (_, index) => {
    const body: any = crd(`${name}-${index}.example.com`, rootSchema(random), 1);
    const version = body.spec.versions[0];
    if (random() < 0.8) version.schema = mutate(version.schema, random);
    if (random() < 0.5) version.schema = mutate(version.schema, random);
    return { request: `POST ${crds}?dryRun=All`, body };
  });
  return { name, steps };
}

function crd(group: string, schema: object, revision: number): object {
  const names = { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: { group, names, scope: "Namespaced", versions: versions(schema, revision) },
  };
}

/** Beside the version, one that shows which revision of the definition the server serves. */
function versions(schema: object, revision: number): object[] {
  const shown = {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    properties: { revision: { type: "integer", default: revision } },
  };
  return [
    { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } },
    { name: "v0", served: true, storage: false, schema: { openAPIV3Schema: shown } },
  ];
}

function awaitRevision(group: string, revision: number, isAccepted: () => boolean): RequestStep {
  return {
    request: `POST /apis/${group}/v0/namespaces/{ns}/things?dryRun=All`,
    body: { apiVersion: `${group}/v0`, kind: "Thing", metadata: { name: "probe" } },
    until: (body) => !isAccepted() || body.revision === revision,
    unrecorded: true,
  };
}

function writes(path: string, group: string, schema: any, random: Random): RequestStep[] {
  const length = 3 + Math.floor(random() * 5);
  return Array.from({ length }, (_, index) => {
    const object = objectOf(group, schema, random);
    const body = random() < 0.6 ? object : { ...object, spec: mutate(object.spec, random) };
    const part = random() < 0.15 ? "/status" : "";
    const validation = random() < 0.3 ? pick(["?fieldValidation=Strict", "?fieldValidation=Ignore"], random) : "";
    const at = `${path}/a${part}${validation}`;
    if (index === 0 || random() < 0.15) return { request: `POST ${path}${validation}`, body };
    switch (Math.floor(random() * 6)) {
      case 0:
        return { request: `PUT ${at}`, body };
      case 1:
      case 2: {
        const manager = pick(["one", "two"], random);
        const force = random() < 0.4 ? "&force=true" : "";
        const request = `PATCH ${path}/a${part}?fieldManager=${manager}${force}`;
        return { request, headers: apply, body: { ...body, spec: someFields(body.spec, random) } };
      }
      case 3: {
        const paths = pathsOf(object.spec, "/spec");
        const ops = [
          { op: pick(["add", "replace", "remove"], random), path: pick(paths, random), value: mutate("a", random) },
        ];
        return { request: `PATCH ${at}`, headers: jsonPatch, body: ops };
      }
      default:
        return {
          request: `PATCH ${at}`,
          headers: merge,
          body: { spec: someFields(body.spec, random) },
        };
    }
  });
}

function objectOf(group: string, schema: any, random: Random): { spec: unknown; status?: unknown } {
  const { spec, status } = schema.properties;
  return {
    apiVersion: `${group}/v1`,
    kind: "Thing",
    metadata: { name: "a" },
    spec: valueOf(spec, random),
    ...(random() < 0.3 && { status: valueOf(status, random) }),
  } as never;
}

function someFields(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(() => random() < 0.6));
}
