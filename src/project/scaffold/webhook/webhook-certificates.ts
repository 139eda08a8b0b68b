import { TsopError } from "../../../errors/tsop-error.ts";
import type { Fragment } from "../api/api-fragments.ts";
import type { Draft } from "../draft/draft.ts";
import type { WebhookContext } from "./webhook-context.ts";
import type { CertificateSource } from "./webhook-flags.ts";
import type { WebhookType } from "./webhook-options.ts";

/** A file that exists only in projects with this certificate source. */
const signs: Readonly<Record<CertificateSource, string>> = {
  "cert-manager": "config/certmanager/kustomization.yaml",
  "self-signed": "config/webhook/cert_role.yaml",
};

/** Returns the project's certificate source, or else the wanted one. Fails if they differ. */
export async function chooseCertificates(draft: Draft, wanted?: CertificateSource): Promise<CertificateSource> {
  const source = await findCertificates({ read: (path) => draft.read(path) });
  if (source && wanted && wanted !== source) throw new TsopError("TSOP_WEBHOOK_CERT", { wanted, source });
  return source ?? wanted ?? "cert-manager";
}

/** Returns the certificate source of a project with webhooks. */
export async function findCertificates({ read }: FileReader): Promise<CertificateSource | undefined> {
  for (const source of ["cert-manager", "self-signed"] as const)
    if ((await read(signs[source])) !== undefined) return source;
  return undefined;
}

interface FileReader {
  /** Reads a file by its path in the project. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** Lists the template parts that the certificates need. */
export function certificateParts(source: CertificateSource, types: readonly WebhookType[]): string[] {
  return [source, ...(source === "cert-manager" ? types.map((type) => `cert-${type}`) : [])];
}

const defaults = "config/default/kustomization.yaml";
const replacements = (name: string): Fragment => ({
  path: defaults,
  point: "defaultreplacements",
  text: `- path: ${name}_replacements.yaml`,
});

/** The fragments for the certificate in the kustomizations of every project with webhooks. */
export function certificateFragments(source: CertificateSource): Fragment[] {
  if (source === "cert-manager") {
    const resource = { path: defaults, point: "defaultresources", text: "- ../certmanager" };
    return [resource, replacements("webhook_cert"), replacements("metrics_cert")];
  }
  const text = "- cert_role.yaml\n- cert_role_binding.yaml";
  const roles = { path: "config/webhook/kustomization.yaml", point: "webhookresources", text };
  return [roles, replacements("webhook_service")];
}

const caFiles = { defaulting: "mutating", validation: "validating", conversion: "crd" } as const;

/** The fragments through which cert-manager injects its authority. */
export function caFragments(source: CertificateSource, types: readonly WebhookType[]): Fragment[] {
  return source === "cert-manager" ? types.map((type) => replacements(`${caFiles[type]}_ca`)) : [];
}

/** The fragments through which cert-manager injects its authority for conversions. */
export function crdCaFragments(source: CertificateSource, { apiGroup, plural }: WebhookContext): Fragment[] {
  if (source !== "cert-manager") return [];
  const path = "config/default/crd_ca_replacements.yaml";
  const target = (index: number): string => `- select:
    kind: CustomResourceDefinition
    name: ${plural}.${apiGroup}
  fieldPaths:
  - metadata.annotations.[cert-manager.io/inject-ca-from]
  options:
    delimiter: /
    index: ${index}
    create: true`;
  return [
    { path, point: "crdkustomizecainjectionns", text: target(0) },
    { path, point: "crdkustomizecainjectionname", text: target(1) },
  ];
}
