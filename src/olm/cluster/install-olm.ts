import type { Kind } from "../../apimachinery/kind.ts";
import type { Named, UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { CustomResourceDefinition, isCrd, untilCrdsServed } from "../../client/manifests/install-crds.ts";
import { CsvKind, type CsvObject } from "../../client/manifests/olm-kinds.ts";
import type { Manifest } from "../../client/manifests/read-manifests.ts";
import { DeploymentKind } from "./kinds.ts";
import { describeDeployment, explainDeployment, explainCsv } from "./describe-deployment.ts";
import { pendingOf, poll, type OlmHost, type PendingRow } from "./olm-host.ts";

const fieldOwner = "tsop";

/** Applies a release of OLM, and waits until it works. An incomplete one is completed. */
export async function installOlm(host: OlmHost, release: readonly Manifest[]): Promise<void> {
  const deadline = Date.now() + host.timeoutMs;
  const { client } = host;
  const objects = release.map(({ object }) => object);
  const crds = objects.filter(isCrd);
  for (const crd of crds) await apply(host, CustomResourceDefinition, crd);
  await untilCrdsServed(client, crds, { signal: host.signal });
  for (const object of objects.filter((each) => !isCrd(each)))
    await apply(host, await client.kindFor(object.apiVersion ?? "", object.kind ?? ""), object);
  await awaitAll(
    host,
    objects.flatMap((object) => awaitedOf(host, object) ?? []),
    deadline,
  );
}

async function apply({ client, emit }: OlmHost, kind: Kind, object: UnstructuredObject): Promise<void> {
  const { name = "" } = object.metadata;
  await client.apply(kind, { ...object, metadata: { ...object.metadata, name } }, { fieldOwner, force: true });
  emit(`${kind.plural}/${name} applied`);
}

/** An object of the release that has to become ready. */
interface Awaited {
  readonly name: string;
  /** Returns the objects that it waits for; nothing if it is ready. */
  readonly state: () => Promise<string | undefined>;
  readonly explain: () => Promise<readonly string[]>;
}

function awaitedOf({ client }: OlmHost, { kind, metadata }: UnstructuredObject): Awaited | undefined {
  const { name = "", namespace = "" } = metadata;
  const where = { client, namespace };
  if (kind === DeploymentKind.kind)
    return {
      name: `deployment ${name}`,
      state: async () => (await describeDeployment(where, name))[0],
      explain: () => explainDeployment(where, name),
    };
  if (kind !== CsvKind.kind) return undefined;
  const find = (): Promise<Named<CsvObject> | undefined> => client.getOrUndefined(CsvKind, { namespace, name });
  return {
    name,
    async state() {
      const { phase = "no phase", message = "OLM has not looked at it" } = (await find())?.status ?? {};
      return phase === "Succeeded" ? undefined : `${phase}: ${message}`;
    },
    async explain() {
      const found = await find();
      return found ? explainCsv(where, found) : [];
    },
  };
}

/** Waits until all are ready; at the deadline, explains each that is not. */
async function awaitAll(host: OlmHost, all: readonly Awaited[], deadline: number): Promise<void> {
  const show = pendingOf(host);
  const ready = new Set<Awaited>();
  const pendingRows = async (): Promise<PendingRow[]> => {
    const rows = all.map(async (each): Promise<PendingRow[]> => {
      const state = await each.state();
      if (state !== undefined) return [{ name: each.name, state }];
      if (!ready.has(each)) host.emit(`${each.name} is ready`);
      ready.add(each);
      return [];
    });
    return (await Promise.all(rows)).flat();
  };
  await poll(host, deadline, {
    async ask() {
      const rows = await pendingRows();
      show(rows);
      return rows.length === 0 ? true : undefined;
    },
    async explain() {
      const lines = all.map(async ({ name, state, explain }) => {
        const text = await state();
        return text === undefined ? [] : [`${name}: ${text}`, ...(await explain())];
      });
      const unique = new Set((await Promise.all(lines)).flat());
      return new TsopError("TSOP_OLM_NOT_READY", { state: [...unique].join("\n  ") });
    },
  });
}
