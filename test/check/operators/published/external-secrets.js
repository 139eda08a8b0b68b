// A port of the renaming of Secrets in external-secrets/external-secrets 0.9.3, with a provider that knows every key. Its
// published bug is included: https://github.com/external-secrets/external-secrets/issues/2937
import {
  controllerManagedBy,
  createOrUpdate,
  defineKind,
  equalJson,
  ignoreNotFound,
  setControllerReference,
} from "../../../../dist/index.js";
import { Secret } from "../kinds.js";

const ExternalSecret = defineKind({
  group: "external-secrets.io",
  version: "v1beta1",
  kind: "ExternalSecret",
  plural: "externalsecrets",
  subresources: ["status"],
});

export async function setupExternalSecrets(mgr) {
  const { client } = mgr;

  async function reconcile(request) {
    const external = await client.getOrUndefined(ExternalSecret, request);
    if (!external || external.metadata.deletionTimestamp) return;
    const { namespace } = external.metadata;
    const { name } = external.spec.target;
    const bound = external.status?.binding?.name;
    await createOrUpdate(client, Secret, { metadata: { namespace, name } }, (secret) => {
      secret.data = dataOf(external);
      setControllerReference(external, secret);
    });
    const status = { binding: { name }, conditions: [{ type: "Ready", status: "True", reason: "SecretSynced" }] };
    if (!equalJson(external.status, status)) await client.status.update(ExternalSecret, { ...external, status });
    // Issue 2937: nobody knows the old name if the operator ends here.
    if (bound !== undefined && bound !== name)
      await client.delete(Secret, { namespace, name: bound }).catch(ignoreNotFound);
  }

  await controllerManagedBy(mgr).for(ExternalSecret).owns(Secret).complete({ reconcile });
}

function dataOf({ spec }) {
  const values = spec.data.map(({ secretKey, remoteRef }) => [secretKey, Buffer.from(`value of ${remoteRef.key}`)]);
  return Object.fromEntries(values.map(([key, value]) => [key, value.toString("base64")]));
}
