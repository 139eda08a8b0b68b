import { crds, customKind, withoutConditions } from "../apiserver/custom-kind.ts";
import { jsonPatch, merge, type RequestStep, type Scenario, type Step } from "../apiserver/scenario.ts";
import { pick, type Random } from "./mutate.ts";
import { deletion, dryDeletion, randomDeleteOptions } from "./random-delete-options.ts";

/** Generates the end of a kind with an object that is held, and requests for both meanwhile. */
export function randomDefinitionEnds(name: string, random: Random): Scenario {
  const { crd, install, path, object } = customKind(name);
  const at = `${crds}/${crd.metadata.name}`;
  const definition = (step: RequestStep): RequestStep => ({ ...step, pick: withoutConditions });
  const holders = pick([["a.io/f"], ["a.io/f", "orphan"], ["foregroundDeletion", "a.io/f"]], random);
  const steps: Step[] = [
    ...install,
    { request: `POST ${path}`, body: { ...object("a"), metadata: { name: "a", finalizers: holders } } },
    { request: `POST ${path}`, body: object("b") },
    ...(random() < 0.5 ? [definition(hold(at))] : []),
    ...Array.from({ length: 3 }, () => definition(dryDeletion(at, randomDeleteOptions(random)))),
    definition({ request: `DELETE ${at}`, body: pick([undefined, { propagationPolicy: "Foreground" }], random) }),
    // The objects end a moment later.
    { request: `GET ${path}/b`, until: (_, status) => status === 404 },
    { request: `GET ${path}/a`, until: ({ metadata }) => metadata.deletionTimestamp !== undefined },
    ...Array.from({ length: 8 }, () => meanwhile(path, object, random)),
    ...Array.from({ length: 3 }, () => definition(ofDefinition(at, crd, random))),
    // A few objects that are held keep a real server from ending others.
    ...[`${path}/a`, at].map((held) => ({ request: `PATCH ${held}`, headers: merge, body: release, unrecorded: true })),
  ];
  return { name, steps };
}

const release = { metadata: { finalizers: null } };

function hold(at: string): RequestStep {
  return { request: `PATCH ${at}`, headers: merge, body: { metadata: { finalizers: ["a.io/c"] } } };
}

function meanwhile(path: string, object: (name: string) => any, random: Random): RequestStep {
  const options = randomDeleteOptions(random);
  const at = `${path}/${pick(["a", "a", "b"], random)}`;
  return pick<RequestStep>(
    [
      { request: `POST ${path}`, body: object("b") },
      { request: `POST ${path}?dryRun=All`, body: object("c") },
      { request: `PATCH ${at}`, headers: merge, body: { spec: { x: pick(["1", "2"], random) } } },
      { request: `PATCH ${at}`, headers: merge, body: { metadata: { finalizers: ["a.io/f", "a.io/g"] } } },
      { request: `PATCH ${at}?dryRun=All`, headers: jsonPatch, body: [{ op: "remove", path: "/metadata/finalizers" }] },
      deletion(at, options),
      deletion(path, options),
      { request: `GET ${path}` },
    ],
    random,
  );
}

function ofDefinition(at: string, { spec, ...crd }: any, random: Random): RequestStep {
  const { body } = randomDeleteOptions(random);
  return pick<RequestStep>(
    [
      { request: `POST ${crds}`, body: { ...crd, spec } },
      { request: `GET ${at}` },
      { request: `PATCH ${at}`, headers: merge, body: { metadata: { finalizers: ["a.io/d"] } } },
      { request: `PATCH ${at}`, headers: merge, body: { metadata: { labels: { a: "b" } } } },
      { request: `PATCH ${at}`, headers: merge, body: { spec: { names: { ...spec.names, shortNames: ["th"] } } } },
      { request: `DELETE ${at}`, body },
      { request: `DELETE ${at}?propagationPolicy=Orphan` },
    ],
    random,
  );
}
