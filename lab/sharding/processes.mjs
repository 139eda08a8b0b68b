// The programs of the proof: the sharder, the project's own Go shard, and shards of tsop.
import { spawn } from "node:child_process";
import { openSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const shardProgram = fileURLToPath(new URL("shard.mjs", import.meta.url));

/** Starts a program whose output goes to a file; `end` resolves when it has ended. */
function run(program, args, { folder, name, env }) {
  const output = openSync(join(folder, `${name}.out`), "a");
  const child = spawn(program, args, { stdio: ["ignore", output, output], env: { ...process.env, ...env } });
  return { child, end: new Promise((resolve) => child.once("close", resolve)) };
}

/** Starts the sharder, whose webhook server has the certificate of the environment. */
export function startSharder({ program, folder, kubeconfig, webhooks }) {
  // The sharder's server has a fixed port.
  const clientConfig = { url: "https://127.0.0.1:9443", caBundle: webhooks.caBundle };
  const config = {
    apiVersion: "config.sharding.timebertt.dev/v1alpha1",
    kind: "SharderConfig",
    clientConnection: { qps: 2000, burst: 2000 },
    health: { bindAddress: "0" },
    metrics: { bindAddress: "0" },
    webhook: { server: { certDir: webhooks.certDir }, config: { clientConfig } },
  };
  const file = join(folder, "sharder.json");
  writeFileSync(file, JSON.stringify(config));
  const env = { KUBECONFIG: kubeconfig, LEADER_ELECT: "false" };
  return run(program, ["--config", file], { folder, name: "sharder", env });
}

/** Starts the example shard, which is next to the sharder's program. */
export function startGoShard({ program, folder, kubeconfig, name, ring }) {
  const binary = join(dirname(program), "checksum-controller");
  const flags = [
    "--controllerring",
    ring,
    "--shard-name",
    name,
    "--lease-namespace",
    "default",
    "--namespace",
    "default",
  ];
  return run(binary, flags, { folder, name, env: { KUBECONFIG: kubeconfig } });
}

/** Starts a shard of tsop. `log` is the file of its steps; a broken one lets go objects that it reconciles. */
export function startShard({ folder, kubeconfig, name, ring, leaseMs, periodMs, log, broken }) {
  const flags = ["--kubeconfig", kubeconfig, "--health-probe-bind-address=0"];
  flags.push("--sharding-ring", ring, "--sharding-shard", name);
  const env = {
    PROOF_LEASE_MS: leaseMs,
    PROOF_PERIOD_MS: periodMs,
    PROOF_LOG: log,
    ...(broken && { PROOF_BROKEN: "1" }),
  };
  return run(process.execPath, [shardProgram, ...flags], { folder, name, env });
}
