import { rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { applyManifests } from "./apply-manifests.ts";
import { makeFolder } from "./make-folder.ts";
import { readManifests } from "./read-manifests.ts";
import { startSandbox } from "./start-sandbox.ts";
import { makeWebhookEndpoint } from "./webhook-endpoint.ts";

export interface ServeOptions {
  readonly port?: number;
  readonly simulate: boolean;
  readonly apply?: readonly string[];
  readonly rbac?: boolean;
  readonly runCommands?: boolean;
  /** A folder to continue from and save to. */
  readonly persist?: string;
  /** Where to write the kubeconfig; it is removed at the end. */
  readonly kubeconfig: string;
  /** Where an operator on this machine listens for webhooks; a certificate for it is written beside the kubeconfig. */
  readonly webhookPort?: number;
}

export interface ServeHost {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Gets lines for a person. */
  readonly emit: (line: string) => void;
}

/** Runs a sandbox in the foreground until the signal. */
export async function serveSandbox(options: ServeOptions, host: ServeHost): Promise<void> {
  const { cwd, emit } = host;
  const stopping = new AbortController();
  const signal = AbortSignal.any([host.signal, stopping.signal]);
  const file = resolve(cwd, options.kubeconfig);
  await makeFolder(dirname(file));
  const manifests = await Promise.all((options.apply ?? []).map((path) => readManifests(resolve(cwd, path))));
  const certificates = join(dirname(file), "webhook-certs");
  const webhooks =
    options.webhookPort === undefined ? undefined : await makeWebhookEndpoint(certificates, options.webhookPort);
  const sandbox = await startSandbox(
    {
      ...options,
      ...(options.persist !== undefined && { persist: resolve(cwd, options.persist) }),
      ...(webhooks && { webhooks }),
      onError: (error) => emit(`problem: ${String(error)}`),
      onUnsupported: ({ method, path, message }) => emit(`unsupported: ${method} ${path}: ${message}`),
    },
    signal,
  );
  emit(`embedded API server at ${sandbox.url}, workload simulation ${options.simulate ? "on" : "off"}`);
  try {
    await rm(file, { force: true });
    await writeFile(file, sandbox.kubeconfig, { mode: 0o600 });
    emit(`kubectl: export KUBECONFIG=${file}`);
    if (webhooks)
      emit(
        `webhooks of services: called at ${webhooks.url}; start the operator with --webhook-cert-path ${certificates}`,
      );
    for (const each of manifests) {
      const applied = await applyManifests({ ...sandbox, namespace: "default" }, each);
      for (const { kind, name, result } of applied) emit(`${kind.plural}/${name} ${result}`);
    }
    await sandbox.done;
  } finally {
    stopping.abort();
    await sandbox.done;
    await rm(file, { force: true });
    if (webhooks) await rm(certificates, { recursive: true, force: true });
  }
}
