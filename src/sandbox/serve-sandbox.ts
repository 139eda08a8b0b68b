import { dirname, join, resolve } from "node:path";
import { messageOf } from "../errors/message-of.ts";
import { applyManifests } from "../client/manifests/apply-manifests.ts";
import { openKubeconfigFile, kubeconfigCommand, quoteWord } from "./disk/write-kubeconfig.ts";
import { readManifestsToApply } from "../client/manifests/read-manifests.ts";
import { startSandbox, type Sandbox, type SandboxOptions } from "./start-sandbox.ts";
import {
  addressWebhooks,
  makeWebhookEndpoint,
  removeWebhookEndpoint,
  type CertificateNames,
  type WebhookAddress,
} from "./webhooks/webhook-endpoint.ts";
import { closeSync, openSync, writeSync } from "node:fs";
import { type AuditEvent, formatAuditEvent } from "../apiserver/audit/audit-event.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { diskReason } from "../files/disk-reason.ts";

type SharedOptions =
  | "kubernetesVersion"
  | "port"
  | "rbac"
  | "runCommands"
  | "olm"
  | "sharding"
  | "certManager"
  | "persist";

export interface ServeOptions extends Pick<SandboxOptions, SharedOptions> {
  readonly simulate: boolean;
  readonly apply?: readonly string[];
  /** File that receives an audit event for each request. */
  readonly auditLog?: string;
  /** Path of the kubeconfig, which is removed at the end. */
  readonly kubeconfig: string;
  /**
   * Port of the webhooks of an operator on this machine, whose certificate is written next to the kubeconfig. By
   * default, the port is 9443, and the certificate is only in the kubeconfig.
   */
  readonly webhookPort?: number;
  /** The file names of that certificate and its key. */
  readonly webhookCertNames?: CertificateNames;
}

export interface ServeHost {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Prints a line. */
  readonly emit: (line: string) => void;
  readonly observer?: SandboxObserver | undefined;
}

/** Observes all that happens in a sandbox. */
export interface SandboxObserver extends Required<Pick<SandboxOptions, "onAudit" | "onChange">> {
  /** Called when the sandbox serves; the signal aborts when it stops. */
  readonly onServing: (sandbox: Sandbox, signal: AbortSignal) => Promise<void>;
}

/** The port at which operators serve their webhooks by default. */
const usualWebhookPort = 9443;

/** Runs a sandbox in the foreground until the signal aborts. Options and manifests are checked before it serves. */
export async function serveSandbox(options: ServeOptions, host: ServeHost): Promise<void> {
  const { cwd, emit } = host;
  const manifests = (
    await Promise.all((options.apply ?? []).map((path) => readManifestsToApply(resolve(cwd, path))))
  ).flat();
  const file = resolve(cwd, options.kubeconfig);
  const kubeconfig = await openKubeconfigFile(file);
  const certificates = join(dirname(file), "webhook-certs");
  const endpoint =
    options.webhookPort === undefined
      ? undefined
      : await makeWebhookEndpoint(certificates, options.webhookPort, options.webhookCertNames);
  const webhooks = endpoint ?? addressWebhooks(usualWebhookPort);
  const stopping = new AbortController();
  const signal = AbortSignal.any([host.signal, stopping.signal]);
  const onError = (error: unknown): void => emit(`problem: ${messageOf(error)}`);
  const auditLog = options.auditLog === undefined ? undefined : new AuditLog(resolve(cwd, options.auditLog), onError);
  let sandbox: Sandbox | undefined;
  try {
    sandbox = await start(options, { ...host, signal }, { webhooks, auditLog });
    await kubeconfig.write(sandbox.kubeconfig);
    for (const line of formatGreeting(options, { ...sandbox, file, cwd })) emit(line);
    if (endpoint)
      emit(
        `webhooks of services: called at ${endpoint.url}; start the operator with --webhook-cert-path ${quoteWord(certificates)}`,
      );
    await host.observer?.onServing(sandbox, signal);
    await applyManifests({ ...sandbox, namespace: "default" }, manifests, ({ kind, name, result }) =>
      emit(`${kind.plural}/${name} ${result}`),
    );
    await sandbox.done;
  } finally {
    stopping.abort();
    if (endpoint) await removeWebhookEndpoint(endpoint);
    if (sandbox) await kubeconfig.remove(sandbox.url);
    await sandbox?.done;
    auditLog?.close();
  }
}

function start(
  options: ServeOptions,
  { cwd, signal, emit, observer }: ServeHost,
  { webhooks, auditLog }: { webhooks: WebhookAddress; auditLog: AuditLog | undefined },
): Promise<Sandbox> {
  return startSandbox(
    {
      ...options,
      ...(options.persist !== undefined && { persist: resolve(cwd, options.persist) }),
      webhooks,
      ...(observer && { onChange: observer.onChange }),
      ...((auditLog ?? observer) && {
        onAudit: (event) => {
          auditLog?.write(event);
          observer?.onAudit(event);
        },
      }),
      onError: (error) => emit(`problem: ${messageOf(error)}`),
      onUnsupported: ({ method, path, message }) => emit(`unsupported: ${method} ${path}: ${message}`),
    },
    signal,
  );
}

function formatGreeting(
  { simulate, rbac, olm, sharding, persist }: ServeOptions,
  { url, file, cwd }: { readonly url: string; readonly file: string; readonly cwd: string },
): string[] {
  return [
    `embedded API server at ${url}, workload simulation ${simulate ? "on" : "off"}${olm ? ", OLM simulated" : ""}${sharding ? ", sharder simulated" : ""}${rbac ? ", roles enforced" : ""}`,
    persist === undefined
      ? "objects: kept until the end of this process (--persist FOLDER keeps them for the next)"
      : `objects: kept in ${resolve(cwd, persist)}`,
    `kubectl: ${kubeconfigCommand(file)}`,
  ];
}

/** A file with a line of JSON for each request. It contains the content of Secrets, so that only its owner may read it. */
class AuditLog {
  private readonly file: string;
  private readonly descriptor: number;
  private readonly onError: (error: unknown) => void;
  private hasFailed = false;

  /** Opens the file; an existing one is continued. */
  constructor(file: string, onError: (error: unknown) => void) {
    this.file = file;
    this.onError = onError;
    try {
      this.descriptor = openSync(file, "a", 0o600);
    } catch (cause) {
      throw new TsopError("TSOP_FILE_UNUSABLE", { file, reason: diskReason(cause) }, { cause });
    }
  }

  /** Writes an event. Reports the first failure, and continues. */
  write(event: AuditEvent): void {
    try {
      writeSync(this.descriptor, `${JSON.stringify(formatAuditEvent(event))}\n`);
      this.hasFailed = false;
    } catch (cause) {
      if (this.hasFailed) return;
      this.hasFailed = true;
      this.onError(new TsopError("TSOP_FILE_UNUSABLE", { file: this.file, reason: diskReason(cause) }, { cause }));
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
