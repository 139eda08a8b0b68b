import type { ObjectKey } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { enqueueBeside, runController, watch } from "../context/run-controller.ts";
import type { SimulationContext } from "../context/simulation-context.ts";
import type { Secret } from "../../../k8s/core/v1.ts";
import { SecretKind, ServiceAccountKind } from "../context/simulated-kinds.ts";

const accountName = "kubernetes.io/service-account.name";
const accountUid = "kubernetes.io/service-account.uid";
/** The longest lifetime: these tokens are valid as long as their account exists. */
const expirationSeconds = 2 ** 32;

/** Fills secrets of type service-account-token, and deletes them with their account. */
export function runTokens(context: SimulationContext): Promise<void> {
  const client = context.clientFor("system:kube-controller-manager");
  const secretsOf = enqueueBeside(
    context,
    SecretKind,
    ({ metadata }, account) => metadata.annotations?.[accountName] === account.metadata.name,
  );
  return runController(context, {
    sources: [watch(context, SecretKind), watch(context, ServiceAccountKind, secretsOf)],
    step: async (key) => {
      const secret = await client.getOrUndefined(SecretKind, key);
      if (secret?.type === "kubernetes.io/service-account-token") await stepSecret(context, client, secret);
    },
  });
}

async function stepSecret({ caData }: SimulationContext, client: Client, secret: Secret): Promise<void> {
  const { namespace = "", name = "", annotations = {} } = secret.metadata;
  const key: ObjectKey = { namespace, name: annotations[accountName] ?? "" };
  const account = await client.getOrUndefined(ServiceAccountKind, key);
  const uid = account?.metadata.uid ?? "";
  const known = annotations[accountUid];
  if (!account || (known !== undefined && known !== uid)) {
    return client.delete(SecretKind, { namespace, name }).catch(ignoreNotFound);
  }
  if (known === uid && secret.data?.["token"]) return;
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds } };
  const issued = (await client.subResource("token").create(ServiceAccountKind, key, request)) as {
    status?: { token?: string };
  };
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  await client.update(SecretKind, {
    ...secret,
    metadata: { ...secret.metadata, annotations: { ...annotations, [accountUid]: uid } },
    data: {
      ...secret.data,
      "ca.crt": caData,
      namespace: base64(namespace),
      token: base64(issued.status?.token ?? ""),
    },
  });
}
