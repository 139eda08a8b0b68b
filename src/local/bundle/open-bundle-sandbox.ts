import { existsSync } from "node:fs";
import { relativePath } from "../../files/slashes.ts";
import type { ClientConfig } from "../../client/config/config.ts";
import type { Client } from "../../client/client.ts";
import { loadProject } from "../../project/load-project.ts";
import { startSandbox } from "../../sandbox/start-sandbox.ts";
import { makeWebhookEndpoint } from "../../sandbox/webhooks/webhook-endpoint.ts";
import { loadEsbuild, operatorBuilder } from "../operator/build-operator.ts";
import type { LocalHost } from "../run-local.ts";
import { ignoredKubeconfig } from "../target/named-cluster.ts";
import { makeRunFolder } from "../run-folder.ts";
import { BundleHints } from "./bundle-hints.ts";
import { isOperatorPod, OperatorPods } from "./operator-pods.ts";
import { PodWebhooks } from "./pod-webhooks.ts";

/** A sandbox with OLM, in which the project's operator runs once OLM has installed it. */
export interface BundleSandbox {
  readonly client: Client;
  readonly config: ClientConfig;
  /** Stops the operator and the server. */
  close(): Promise<void>;
}

/** Starts a sandbox with OLM for the bundle of the project around the working folder. */
export async function openBundleSandbox(
  { port, runCommands = false }: { readonly port?: number | undefined; readonly runCommands?: boolean | undefined },
  host: LocalHost,
): Promise<BundleSandbox> {
  const { root } = await loadProject(host.cwd, host.disk);
  const esbuild = await loadEsbuild(root);
  const folder = await makeRunFolder(root);
  const builder = await operatorBuilder(esbuild, { root, outfile: folder.bundle });
  const serving = new AbortController();
  const operating = new AbortController();
  const onError = (error: unknown): void => host.emit({ type: "problem", error });
  const webhooks = new PodWebhooks(await makeWebhookEndpoint(folder.certificates));
  const hints = new BundleHints();
  const sandbox = await startSandbox(
    {
      olm: true,
      rbac: true,
      runsPod: isOperatorPod,
      runCommands,
      webhooks,
      pace: { min: 20, max: 100 },
      forbiddenHint: hints.explain,
      onChange: hints.onChange,
      onError,
      ...(port !== undefined && { port }),
    },
    serving.signal,
  );
  await folder.write({ people: sandbox.kubeconfig, operator: sandbox.kubeconfig });
  const ignored = ignoredKubeconfig({ root, cwd: host.cwd }, host.env);
  host.emit({ type: "target", embedded: true, server: sandbox.url, source: sandbox.config.source, ignored });
  host.emit({ type: "kubeconfig", path: relativePath(host.cwd, folder.userKubeconfig) });
  const { env, emit } = host;
  const pods = new OperatorPods({ root, program: folder.bundle, builder, sandbox, webhooks, env, emit });
  const operators = pods.run(operating.signal).catch(onError);
  return {
    client: sandbox.client,
    config: sandbox.config,
    async close() {
      operating.abort();
      await operators;
      serving.abort();
      await sandbox.done;
      await builder.close();
      if (existsSync(folder.bundle)) host.emit({ type: "stopped" });
      await folder.remove();
    },
  };
}
