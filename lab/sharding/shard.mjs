// A shard of the proof, as a program: keeps a ConfigMap with checksums for each Secret, and appends each step to a log
// that survives a SIGKILL. Times are of CLOCK_MONOTONIC, which all processes of the machine share.
import { createHash } from "node:crypto";
import { openSync, writeSync } from "node:fs";
import {
  controllerManagedBy,
  createClient,
  createManager,
  exitWithError,
  loadConfig,
  mergePatch,
  parseManagerFlags,
  setControllerReference,
  setupSignalHandler,
} from "../../dist/index.js";
import { ConfigMap, Secret } from "../../dist/k8s/core/v1.js";

process.on("uncaughtException", exitWithError);

const { PROOF_LOG, PROOF_LEASE_MS = "15000", PROOF_PERIOD_MS = "60000", PROOF_BROKEN } = process.env;
const log = PROOF_LOG ? openSync(PROOF_LOG, "a") : undefined;
const note = (...parts) => log && writeSync(log, `${[process.hrtime.bigint() / 1000n, ...parts].join(" ")}\n`);
const lease = Number(PROOF_LEASE_MS);
let period = Number(PROOF_PERIOD_MS);
process.on("SIGUSR2", () => {
  period = 1;
});

const flags = parseManagerFlags(process.argv.slice(2));
const { sharding, ...managerOptions } = flags.managerOptions;
const times = { leaseDuration: lease, renewDeadline: lease * 0.6, retryPeriod: lease * 0.15 };
const config = await loadConfig(flags);
const mgr = await createManager(config, {
  ...managerOptions,
  sharding: { ...sharding, ...times, namespace: "default" },
});

await controllerManagedBy(mgr)
  .for(Secret, { predicates: [{ update: () => false }] })
  .owns(ConfigMap, { predicates: [{ create: () => false, update: () => false }] })
  .withOptions({ maxConcurrentReconciles: PROOF_BROKEN ? 50 : 5 })
  .complete({ reconcile });
const stopped = setupSignalHandler();
if (PROOF_BROKEN) void letGoAtOnce(stopped);
await mgr.start(stopped);

async function reconcile({ namespace, name }) {
  if (namespace !== "default") return undefined;
  note("begin", name);
  try {
    const secret = await mgr.client.getOrUndefined(Secret, { namespace, name });
    if (!secret) return undefined;
    // Read from the server, so that the version of the write reveals any other writer since then.
    const key = { namespace, name: `checksums-${name}` };
    const found = await mgr.apiReader.getOrUndefined(ConfigMap, key);
    const sums = Object.entries(secret.data ?? {}).map(([field, value]) => [
      field,
      createHash("sha256").update(Buffer.from(value, "base64")).digest("hex"),
    ]);
    // A write without a change would return the version of an earlier one.
    const count = `${Number(found?.data?.count ?? 0) + 1}`;
    if (PROOF_BROKEN) await new Promise((resolve) => setTimeout(resolve, 300));
    const data = { ...Object.fromEntries(sums), writer: sharding.shard, count };
    const child = { ...(found ?? { metadata: key }), data };
    setControllerReference(secret, child);
    const written = found ? await mgr.client.update(ConfigMap, child) : await mgr.client.create(ConfigMap, child);
    note("write", name, written.metadata.resourceVersion);
    return { requeueAfter: period * (0.5 + Math.random()) };
  } catch (error) {
    note("failure", name, error.code ?? error.reason ?? error.name);
    throw error;
  } finally {
    note("end", name);
  }
}

/** Breaks the protocol: lets objects go although they are being reconciled. */
async function letGoAtOnce(signal) {
  const client = createClient({ config });
  const [mine, drain] = ["shard", "drain"].map((name) => `${name}.alpha.sharding.timebertt.dev/${sharding.ring}`);
  const labels = `${mine}=${sharding.shard},${drain}`;
  for await (const { type, object } of client.watch(Secret, { namespace: "default", labels, signal })) {
    if (type !== "ADDED") continue;
    await client.patch(Secret, object, mergePatch({ metadata: { labels: { [mine]: null, [drain]: null } } }));
  }
}
