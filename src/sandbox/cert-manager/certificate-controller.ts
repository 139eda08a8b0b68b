import { cloneJson } from "../../apimachinery/clone.ts";
import { removeCondition, setCondition, type NewCondition } from "../../apimachinery/conditions.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import type { DeepReadonly, KubeObject, Named } from "../../apimachinery/meta.ts";
import { timestamp } from "../../apimachinery/time.ts";
import type { Client } from "../../client/client.ts";
import { mergePatch } from "../../client/patches.ts";
import type { CoreEventRecorder } from "../../runtime/event-recorder/core-event-recorder.ts";
import { enqueueAll, enqueueBeside, runController, watch } from "../simulation/context/run-controller.ts";
import type { Secret } from "../../k8s/core/v1.ts";
import { SecretKind } from "../simulation/context/simulated-kinds.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import {
  CertificateKind,
  certManagerUser,
  ClusterIssuerKind,
  IssuerKind,
  type Certificate,
  type CertificateStatus,
  certManagerGroup,
} from "./cert-manager-kinds.ts";
import {
  annotation,
  certificateSecret,
  issuerOf,
  reissueReason,
  validityOf,
  type ReissueReason,
} from "./certificate-secret.ts";
import { renewalTimeOf, isKeyOf, issueCertificate } from "./issue-certificate.ts";
import { readKeyPair, judgeIssuer, type Authority } from "./issuer-controller.ts";

/** Keeps the Secret of each Certificate: issues it, and renews it in time by the sandbox's clock. */
export function runCertificates(context: SimulationContext): Promise<void> {
  const client = context.clientFor(certManagerUser);
  const issuing = new Issuing(context, client);
  const ofSecret = enqueueBeside(
    context,
    CertificateKind,
    ({ spec }, { metadata }) => spec.secretName === metadata.name,
  );
  const refersTo = ({ spec }: DeepReadonly<Certificate>, { kind, metadata }: KubeObject): boolean => {
    const issuer = issuerOf(spec);
    return issuer.kind === kind && issuer.name === metadata.name;
  };
  return runController(context, {
    sources: [
      watch(context, CertificateKind),
      watch(context, SecretKind, ofSecret),
      watch(context, IssuerKind, enqueueBeside(context, CertificateKind, refersTo)),
      watch(context, ClusterIssuerKind, enqueueAll(context, CertificateKind, refersTo)),
    ],
    step: async (key) => {
      const certificate = await client.getOrUndefined(CertificateKind, key);
      if (!certificate || certificate.metadata.deletionTimestamp) return;
      return issuing.bringUpToDate(certificate);
    },
  });
}

class Issuing {
  private readonly context: SimulationContext;
  private readonly client: Client;
  private readonly recorder: CoreEventRecorder;

  constructor(context: SimulationContext, client: Client) {
    this.context = context;
    this.client = client;
    this.recorder = context.recorder(client, "cert-manager-certificates-issuing");
  }

  /** Issues a certificate if needed, and returns the time until it is renewed. */
  async bringUpToDate(certificate: Named<Certificate>): Promise<number | undefined> {
    const { namespace } = certificate.metadata;
    const { spec } = certificate;
    const secret = await this.client.getOrUndefined(SecretKind, { namespace, name: spec.secretName });
    const other = await this.otherOf(certificate, secret);
    if (other !== undefined) {
      const conflict = "you might have two conflicting Certificates pointing to the same secret";
      const message = `Secret was issued for "${other}". If this message is not transient, ${conflict}.`;
      await this.wait(certificate, { reason: "IncorrectCertificate", message });
      return undefined;
    }
    const why = reissueReason(certificate, secret, this.context.clock.now());
    if (!why) return this.report(certificate, secret!);
    const found = await findAuthority(this.client, certificate);
    if ("problem" in found) {
      await this.wait(certificate, { ...why, message: `${why.message}: ${found.problem}` });
      return undefined;
    }
    const known = spec.privateKey?.rotationPolicy === "Never" ? keyOf(certificate, secret) : undefined;
    const issued = await issueCertificate(spec, found.authority, { now: this.context.clock.now(), known });
    const wanted = certificateSecret(certificate, issued, secret);
    const fieldOwner = "cert-manager-certificates-issuing";
    const written = await this.client.apply(SecretKind, wanted, { fieldOwner, force: true });
    this.recorder.event(certificate, "Normal", "Issuing", "The certificate has been successfully issued");
    return this.report(certificate, written, (certificate.status?.revision ?? 0) + 1);
  }

  /** Returns the name of another Certificate that keeps the Secret, if there is one. */
  private async otherOf({ metadata }: Named<Certificate>, secret: Secret | undefined): Promise<string | undefined> {
    const name = secret?.metadata.annotations?.[annotation("certificate-name")];
    if (name === undefined || name === metadata.name) return undefined;
    const other = await this.client.getOrUndefined(CertificateKind, { namespace: metadata.namespace, name });
    return other?.spec.secretName === secret!.metadata.name ? name : undefined;
  }

  /** Writes that a certificate waits for its issuer. */
  private wait(certificate: Named<Certificate>, { reason, message, isUsable = false }: ReissueReason): Promise<void> {
    const conditions: NewCondition[] = [{ type: "Issuing", status: "True", reason, message }];
    if (!isUsable) conditions.unshift({ type: "Ready", status: "False", reason, message });
    return this.write(certificate, { ...certificate.status }, conditions);
  }

  /** Writes when a certificate is valid and renewed, and returns the time until then. */
  private async report(
    certificate: Named<Certificate>,
    secret: Secret,
    revision = certificate.status?.revision ?? 1,
  ): Promise<number> {
    const { notBefore, notAfter } = validityOf(readKeyPair(secret).chain[0]);
    const renewal = renewalTimeOf(certificate.spec, { notBefore, notAfter });
    const times = { notBefore, notAfter, renewalTime: renewal };
    const status = {
      ...certificate.status,
      ...Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, timestamp(ms)])),
      revision,
    };
    const message = "Certificate is up to date and has not expired";
    await this.write(certificate, status, [{ type: "Ready", status: "True", reason: "Ready", message }]);
    return renewal - this.context.clock.now();
  }

  private async write(
    certificate: Named<Certificate>,
    status: CertificateStatus,
    wanted: readonly NewCondition[],
  ): Promise<void> {
    const conditions = cloneJson(status.conditions ?? []);
    const observedGeneration = certificate.metadata.generation ?? 1;
    if (!wanted.some(({ type }) => type === "Issuing")) removeCondition(conditions, "Issuing");
    for (const condition of wanted) {
      setCondition(conditions, { ...condition, observedGeneration }, () => new Date(this.context.clock.now()));
    }
    const after = { ...status, conditions };
    if (equalJson(after, certificate.status)) return;
    // Without a version: a change of the spec in between must not lose the revision of what has been issued.
    await this.client.status.patch(CertificateKind, certificate.metadata, mergePatch({ status: after }));
  }
}

/** Returns the key of a Secret if it is of the kind that the certificate asks for. */
function keyOf({ spec }: Certificate, secret: Secret | undefined): ReturnType<typeof readKeyPair>["key"] | undefined {
  try {
    const { key } = readKeyPair(secret ?? { metadata: {} });
    return isKeyOf(key, spec) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Finds what signs a certificate, or why nothing does. */
async function findAuthority(
  client: Client,
  { metadata, spec }: Certificate,
): Promise<{ readonly authority: Authority } | { readonly problem: string }> {
  const { name, kind, group } = issuerOf(spec);
  const issuerKind = [IssuerKind, ClusterIssuerKind].find((each) => each.kind === kind);
  if (group !== certManagerGroup || !issuerKind) return { problem: `no ${kind} of the group ${group} is simulated` };
  const namespace = issuerKind === IssuerKind ? metadata.namespace : undefined;
  const issuer = await client.getOrUndefined(issuerKind, { namespace, name });
  if (!issuer) {
    const resource = `${kind.toLowerCase()}.${group} "${name}"`;
    return { problem: `Referenced "${kind}" not found: ${resource} not found` };
  }
  const { authority, message } = await judgeIssuer(client, issuer);
  return authority ? { authority } : { problem: `Referenced "${kind}" is not ready: ${message}` };
}
