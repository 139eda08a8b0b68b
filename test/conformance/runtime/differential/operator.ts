import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClientConfig } from "../../../../src/client/config/config.ts";
import { formatKubeconfig } from "../../../../src/sandbox/disk/write-kubeconfig.ts";
import { freePorts, makeWebhookEndpoint } from "../../../../src/sandbox/webhooks/webhook-endpoint.ts";

/** The addresses and the leader election settings of an operator under comparison. */
export interface OperatorSetUp {
  readonly config: ClientConfig;
  readonly kubeconfig: string;
  readonly healthPort: number;
  readonly metricsPort: number;
  readonly webhookPort: number;
  readonly certDir: string;
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  /** Releases the lease on an orderly shutdown. */
  readonly releaseOnCancel: boolean;
  remove(): Promise<void>;
}

/** A running operator: the Go one as a process, the TypeScript twin in this process. */
export interface Operator {
  readonly setUp: OperatorSetUp;
  /** The JSON lines that it has logged so far. */
  readonly log: readonly string[];
  /** Stops it: orderly, or abruptly without a shutdown. */
  stop(how: "gracefully" | "killed"): Promise<void>;
}

export async function setUpOperator(config: ClientConfig, releaseOnCancel = false): Promise<OperatorSetUp> {
  const folder = await mkdtemp(join(tmpdir(), "tsop-differential-"));
  const [healthPort, metricsPort] = await freePorts(2);
  const { port, certDir } = await makeWebhookEndpoint(join(folder, "certs"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, formatKubeconfig(config), { mode: 0o600 });
  return {
    config,
    kubeconfig,
    healthPort: healthPort!,
    metricsPort: metricsPort!,
    webhookPort: port,
    certDir,
    // Long enough for a leader on a busy machine.
    leaseDuration: 10_000,
    renewDeadline: 8_000,
    retryPeriod: 200,
    releaseOnCancel,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
