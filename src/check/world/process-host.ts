import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Host } from "./host.ts";
import { OperatorProcess } from "./operator-process.ts";
import { WebhookServers } from "./webhook-servers.ts";

/** Runs operators as processes, which connect to a server on loopback. */
export async function openProcessHost(): Promise<Host> {
  const folder = await mkdtemp(join(tmpdir(), "tsop-check-"));
  let started = 0;
  return {
    startOperator(command, kubeconfig, listener) {
      const path = join(folder, `kubeconfig-${++started}`);
      writeFileSync(path, kubeconfig, { mode: 0o600 });
      return new OperatorProcess(command, path, listener);
    },
    openWebhooks: () => WebhookServers.prepare(folder),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
