import type { Kind } from "../../apimachinery/kind.ts";
import type { Named, ObjectKey, UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { CustomResourceDefinition, isCrd, untilCrdsServed } from "../../manifests/install-crds.ts";
import { CsvKind, type CsvObject } from "../../manifests/olm-kinds.ts";
import type { Manifest } from "../../manifests/read-manifests.ts";
import { describeDeployment } from "./describe-deployment.ts";
import { poll, type OlmHost } from "./olm-host.ts";

const fieldOwner = "tsop";

/** Applies a release of OLM, and waits until it works. What is there already is completed. */
export async function installOlm(host: OlmHost, release: readonly Manifest[]): Promise<void> {
  const deadline = Date.now() + host.timeoutMs;
  const { client } = host;
  const objects = release.map(({ object }) => object);
  const crds = objects.filter(isCrd);
  for (const crd of crds) await apply(host, CustomResourceDefinition, crd);
  await untilCrdsServed(client, crds, { signal: host.signal });
  for (const object of objects.filter((each) => !isCrd(each)))
    await apply(host, await client.kindFor(object.apiVersion ?? "", object.kind ?? ""), object);
  for (const { metadata } of objects.filter(({ kind }) => kind === "Deployment"))
    await awaitDeployment(host, { namespace: metadata.namespace, name: metadata.name ?? "" }, deadline);
  for (const { metadata } of objects.filter(({ kind }) => kind === CsvKind.kind))
    await awaitCsv(host, { namespace: metadata.namespace, name: metadata.name ?? "" }, deadline);
}

async function apply({ client, emit }: OlmHost, kind: Kind, object: UnstructuredObject): Promise<void> {
  const { name = "" } = object.metadata;
  await client.apply(kind, { ...object, metadata: { ...object.metadata, name } }, { fieldOwner, force: true });
  emit(`${kind.plural}/${name} applied`);
}

async function awaitDeployment(host: OlmHost, key: ObjectKey, deadline: number): Promise<void> {
  host.emit(`waiting for deployment ${key.name}`);
  const problems = () => describeDeployment({ client: host.client, namespace: key.namespace ?? "" }, key.name);
  await poll(host, deadline, {
    ask: async () => ((await problems()).length === 0 ? true : undefined),
    explain: async () =>
      new TsopError("TSOP_OLM_TIMEOUT", { what: `deployment ${key.name}`, state: (await problems()).join("\n  ") }),
  });
}

async function awaitCsv(host: OlmHost, key: ObjectKey, deadline: number): Promise<void> {
  host.emit(`waiting for ${key.name}`);
  const find = (): Promise<Named<CsvObject> | undefined> => host.client.getOrUndefined(CsvKind, key);
  await poll(host, deadline, {
    ask: async () => ((await find())?.status?.phase === "Succeeded" ? true : undefined),
    async explain() {
      const { phase = "no phase", message = "OLM has not looked at it" } = (await find())?.status ?? {};
      return new TsopError("TSOP_OLM_TIMEOUT", { what: key.name, state: `${phase}: ${message}` });
    },
  });
}
