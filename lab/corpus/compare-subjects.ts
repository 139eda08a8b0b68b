import type { UnstructuredObject } from "../../src/apimachinery/meta.ts";
import { mutate } from "../../test/conformance/differential/mutate.ts";
import { randomFor } from "../../test/conformance/differential/random-for.ts";
import type { Resource, Subject } from "./read-corpus.ts";
import type { Pair, ServerPair } from "./server-pair.ts";
import type { Tally } from "./tally.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/** A real server serves a new kind after a while, and later still on a busy machine. */
const patienceMs = 60_000;

export interface Comparison {
  readonly servers: ServerPair;
  readonly tally: Tally;
  /** How many changed copies of each resource are sent, too. */
  readonly variants: number;
  /** Decides what is changed. */
  readonly seed: number;
}

/** Creates a definition on both servers and waits until its kind is served; returns whether both have accepted it. */
export async function compareDefinition({ servers, tally }: Comparison, { crd }: Subject): Promise<boolean> {
  const { name } = crd.metadata;
  const { status: _, ...body } = crd as typeof crd & { status?: unknown };
  const created = await servers.ask({ request: `POST ${definitions}?fieldValidation=Warn`, body });
  const isCreated = created.embedded.status === 201 && created.real.status === 201;
  if (!isCreated) {
    tally.judge("definitions", name, [created]);
    return false;
  }
  const request = `GET ${definitions}/${name}`;
  const stored = await servers.askUntil({ request }, areEstablished, patienceMs);
  tally.judge("definitions", name, [created, stored]);
  // No conversion webhook runs here.
  if (crd.spec.conversion?.strategy === "Webhook") {
    const conversion = { strategy: "None", webhook: null };
    const type = "application/merge-patch+json";
    await servers.ask({ request: `PATCH ${definitions}/${name}`, body: { spec: { conversion } }, type });
  }
  return areEstablished(stored);
}

/** Some conditions of a real server come a moment after the others. */
function areEstablished({ embedded, real }: Pair): boolean {
  const conditions = ({ body }: Pair["real"]): any[] => (body as any)?.status?.conditions ?? [];
  const isEstablished = conditions(real).some(({ type, status }) => type === "Established" && status === "True");
  return isEstablished && conditions(embedded).length === conditions(real).length;
}

/** Sends the resources of a definition that is served, one after the other. */
export async function compareResources(comparison: Comparison, { crd, resources }: Subject): Promise<void> {
  const { group, names, scope } = crd.spec;
  const place = scope === "Namespaced" ? "namespaces/default/" : "";
  const random = randomFor(crd.metadata.name, comparison.seed);
  const pathOf = (version: string): string => `/apis/${group}/${version}/${place}${names.plural}`;
  // A real server serves a new kind a moment later, and its changed conversion another moment later.
  const isReady = ({ embedded, real }: Pair): boolean =>
    [embedded, real].every((answer) => !/could not find the requested|conversion webhook/.test(messageOf(answer)));
  for (const version of new Set(resources.map(({ version }) => version))) {
    const body = resources.find((resource) => resource.version === version)?.object;
    await comparison.servers.askUntil({ request: `POST ${pathOf(version)}?dryRun=All`, body }, isReady, patienceMs);
  }
  for (const { version, object } of resources) {
    const path = pathOf(version);
    await compareResource(comparison, "resources", { path, object });
    for (let left = comparison.variants; left > 0; left--) {
      const changed = mutate(object, random) as UnstructuredObject;
      // A real server checks an object of another kind by the rules of the kind alone; recorded scenarios cover it.
      if (changed?.kind === object.kind && changed.apiVersion === object.apiVersion)
        await compareResource(comparison, "variants", { path, object: changed });
    }
  }
}

function messageOf({ body }: Pair["real"]): string {
  return typeof body === "string" ? body : ((body as { message?: string }).message ?? "");
}

interface Placed {
  readonly path: string;
  readonly object: Resource["object"];
}

async function compareResource({ servers, tally }: Comparison, what: string, { path, object }: Placed): Promise<void> {
  const post = (query: string): Promise<Pair> => servers.ask({ request: `POST ${path}?${query}`, body: object });
  const given = object?.metadata?.name;
  const name = typeof given === "string" && /^[\w.-]+$/.test(given) ? given : "corpus";
  const named = `${path}/${name}`;
  const apply = (query: string): Promise<Pair> =>
    servers.ask({
      request: `PATCH ${named}?fieldManager=corpus&force=true${query}`,
      body: object,
      type: "application/apply-patch+yaml",
    });
  const pairs = [
    await post("fieldValidation=Strict&dryRun=All"),
    await post("fieldValidation=Warn&dryRun=All"),
    await apply("&dryRun=All"),
  ];
  // Half of the objects are stored by each way.
  const stored = name.length % 2 ? await apply("") : await post("fieldValidation=Warn");
  pairs.push(stored);
  const { status = 0 } = stored.real;
  if (status < 300 || (stored.embedded.status ?? 0) < 300) {
    pairs.push(await servers.ask({ request: `GET ${named}` }));
    await remove(servers, named, object.metadata.finalizers !== undefined);
  }
  tally.judge(what, `${object?.kind ?? "?"} ${name}`, pairs);
}

/** Removes an object and its finalizers, as no controller that would do so is running. */
async function remove(servers: ServerPair, named: string, isHeld: boolean): Promise<void> {
  const type = "application/merge-patch+json";
  if (isHeld) await servers.ask({ request: `PATCH ${named}`, body: { metadata: { finalizers: null } }, type });
  await servers.ask({ request: `DELETE ${named}` });
}
