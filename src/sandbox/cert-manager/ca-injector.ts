import type { Kind } from "../../apimachinery/kind.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { childIf, items } from "../../apimachinery/fields.ts";
import type { KubeObject, UnstructuredObject } from "../../apimachinery/meta.ts";
import { cloneJson } from "../../apimachinery/clone.ts";
import type { Client } from "../../client/client.ts";
import { CustomResourceDefinition } from "../../client/manifests/install-crds.ts";
import { enqueueAll, runController, watch } from "../simulation/context/run-controller.ts";
import { APIServiceKind, SecretKind, webhookConfigurationKinds } from "../simulation/context/simulated-kinds.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { caInjectorUser, CertificateKind } from "./cert-manager-kinds.ts";
import { annotation } from "./certificate-secret.ts";

const kinds = [...webhookConfigurationKinds, CustomResourceDefinition, APIServiceKind];
const [fromCertificate, fromSecret, fromServer] = [
  "inject-ca-from",
  "inject-ca-from-secret",
  "inject-apiserver-ca",
].map(annotation) as [string, string, string];

/** Fills the CA bundles of webhooks, conversions and APIServices whose annotations ask for it, and keeps them current. */
export async function runCaInjector(context: SimulationContext): Promise<void> {
  await Promise.all(kinds.map((kind) => runInjectorOf(context, kind)));
}

function runInjectorOf(context: SimulationContext, kind: Kind<UnstructuredObject>): Promise<void> {
  const client = context.clientFor(caInjectorUser);
  const asks = enqueueAll(context, kind, (object, { metadata }) => {
    const from = `${metadata.namespace}/${metadata.name}`;
    const certificate = metadata.annotations?.[annotation("certificate-name")];
    const { annotations = {} } = object.metadata;
    if (annotations[fromSecret] === from) return true;
    return certificate !== undefined && annotations[fromCertificate] === `${metadata.namespace}/${certificate}`;
  });
  return runController(context, {
    sources: [watch(context, kind), watch(context, SecretKind, asks)],
    step: async ({ name }) => {
      const object = await client.getOrUndefined(kind, { name });
      if (!object || object.metadata.deletionTimestamp) return;
      const caBundle = await findBundle(client, object, context.caData);
      if (caBundle === undefined) return;
      const injected = cloneJson(object);
      for (const target of targetsOf(injected)) target["caBundle"] = caBundle;
      if (equalJson(injected, object)) return;
      await client.update(kind, injected, { fieldOwner: "cert-manager-cainjector" });
    },
  });
}

/** Returns the authority that an object asks for, as its CA bundle has it, if it is there. */
async function findBundle(client: Client, { metadata }: KubeObject, ofServer: string): Promise<string | undefined> {
  const { annotations = {} } = metadata;
  const certificate = keyIn(annotations[fromCertificate]);
  if (certificate) {
    const { namespace } = certificate;
    const name = (await client.getOrUndefined(CertificateKind, certificate))?.spec.secretName;
    if (name === undefined) return undefined;
    const secret = await client.getOrUndefined(SecretKind, { namespace, name });
    const isItsOwn = secret?.metadata.annotations?.[annotation("certificate-name")] === certificate.name;
    return isItsOwn ? secret.data?.["ca.crt"] : undefined;
  }
  const named = keyIn(annotations[fromSecret]);
  if (named) {
    const secret = await client.getOrUndefined(SecretKind, named);
    const isAllowed = secret?.metadata.annotations?.[annotation("allow-direct-injection")] === "true";
    return isAllowed ? secret.data?.["ca.crt"] : undefined;
  }
  return annotations[fromServer] === "true" ? ofServer : undefined;
}

function keyIn(text: string | undefined): { namespace: string; name: string } | undefined {
  const [namespace, name] = text?.split("/") ?? [];
  return namespace && name ? { namespace, name } : undefined;
}

/** Returns the parts of an object that have a CA bundle. */
function targetsOf(object: UnstructuredObject): Record<string, unknown>[] {
  const spec = childIf(object, "spec");
  if (object.kind === APIServiceKind.kind) return spec ? [spec] : [];
  const isCrd = object.kind === CustomResourceDefinition.kind;
  const webhooks = isCrd ? [childIf(childIf(spec, "conversion"), "webhook")] : items(object, "webhooks");
  return webhooks.map((webhook) => childIf(webhook, "clientConfig")).filter((each) => each !== undefined);
}
