import type { CsvObject, DeploymentSpec, WebhookDescription } from "../../client/manifests/olm-kinds.ts";
import type { Deployment } from "../simulation/context/simulated-kinds.ts";
import { hashOf, ownerLabels, ownerReference } from "./owned-names.ts";

/** Returns the deployments of a CSV as OLM creates them: with its annotations, and the certificates of webhooks. */
export function csvDeployments(csv: CsvObject, authorities: ReadonlyMap<string, string | undefined>): Deployment[] {
  const { metadata, spec } = csv;
  return (spec.install?.spec?.deployments ?? []).map(({ name, label, spec: wanted }) => {
    const webhooks = (spec.webhookdefinitions ?? []).filter(({ deploymentName }) => deploymentName === name);
    const content = completeSpec(wanted, csv, { webhook: webhooks[0], authority: authorities.get(name) });
    return {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: {
        name,
        ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
        labels: { ...label, ...ownerLabels(csv), "olm.deployment-spec-hash": hashOf(content) },
        ownerReferences: [ownerReference(csv)],
      },
      spec: content,
    } as unknown as Deployment;
  });
}

/** Name of the secret with the certificate of the webhooks of a deployment. */
export function certificateSecret(deployment: string): string {
  return `${serviceName(deployment)}-cert`;
}

/** Name of the service of the webhooks of a deployment. */
export function serviceName(deployment: string): string {
  return `${deployment.replaceAll(".", "-")}-service`;
}

/** Volumes of the certificate, with its paths in the container and in the volume. */
const certificateVolumes = [
  {
    name: "apiservice-cert",
    mountPath: "/apiserver.local.config/certificates",
    files: ["apiserver.crt", "apiserver.key"],
  },
  { name: "webhook-cert", mountPath: "/tmp/k8s-webhook-server/serving-certs", files: ["tls.crt", "tls.key"] },
] as const;

function completeSpec(
  spec: DeploymentSpec,
  { metadata }: CsvObject,
  { webhook, authority }: { readonly webhook: WebhookDescription | undefined; readonly authority: string | undefined },
): DeploymentSpec {
  const { template } = spec;
  const volumes = webhook ? certificateVolumes : [];
  const names = new Set<string>(volumes.map(({ name }) => name));
  const condition = { name: "OPERATOR_CONDITION_NAME", value: metadata.name ?? "" };
  const { containers, volumes: own = [] } = template.spec;
  const secretName = certificateSecret(webhook?.deploymentName ?? "");
  return {
    revisionHistoryLimit: 1,
    ...spec,
    template: {
      ...template,
      metadata: {
        ...template.metadata,
        annotations: {
          ...template.metadata?.annotations,
          ...metadata.annotations,
          ...(authority !== undefined && { olmcahash: hashOf(authority) }),
        },
      },
      spec: {
        ...template.spec,
        ...(volumes.length > 0 && {
          volumes: [
            ...own.filter((volume) => !names.has((volume as { name: string }).name)),
            ...volumes.map(({ name, files: [crt, key] }) => ({
              name,
              secret: {
                secretName,
                items: [
                  { key: "tls.crt", path: crt },
                  { key: "tls.key", path: key },
                ],
              },
            })),
          ],
        }),
        containers: containers.map((container) => ({
          ...container,
          env: [...(container.env ?? []).filter(({ name }) => name !== condition.name), condition],
          ...(volumes.length > 0 && {
            volumeMounts: [
              ...(container.volumeMounts ?? []).filter(({ name }) => !names.has(name)),
              ...volumes.map(({ name, mountPath }) => ({ name, mountPath })),
            ],
          }),
        })),
      },
    },
  };
}
