// An operator that writes as long as it leads, for fence.test.ts. Its argument is JSON: the configurations of its writes
// and of its lease, its name, the options of the election, and what is hard about it.
import { setTimeout as sleep } from "node:timers/promises";
import { createManager, discardLogger, mergePatch } from "../../../dist/index.js";
import { ConfigMap } from "../../../dist/k8s/core/v1.js";

const { config, leaderElection, name, writers, clockJumps, bodyBytes = 0 } = JSON.parse(process.argv[2]);

if (clockJumps) {
  const now = Date.now;
  const day = 24 * 60 * 60_000;
  let jumps = 0;
  Date.now = () => now() + ((jumps % 3) - 1) * day;
  setInterval(() => jumps++, 500);
}

const mgr = await createManager(config, {
  leaderElection: { ...leaderElection, enabled: true, labels: { leader: name } },
  userAgent: name,
  logger: discardLogger,
  metrics: { bindAddress: "0" },
  gracefulShutdownTimeout: 100,
});
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());

const text = "x".repeat(bodyBytes);

// It keeps writing after it was asked to stop, like work that waits for something else.
async function write(key) {
  for (let n = 0; ; n++) {
    try {
      await mgr.client.patch(ConfigMap, key, mergePatch({ data: { by: name, n: `${n}`, text } }));
    } catch (error) {
      if (error.code === "TSOP_LEASE_RELEASED" || error.code === "TSOP_NOT_LEADING") await sleep(20);
    }
    await sleep(40);
  }
}
mgr.add(() =>
  Promise.all(Array.from({ length: writers }, (_, at) => write({ namespace: config.namespace, name: `w${at}` }))),
);
await mgr.start(stop.signal).catch(({ code, message }) => {
  if (code !== "TSOP_LEADERSHIP_LOST" && code !== "TSOP_SHUTDOWN_TIMEOUT") console.error(message);
});
// The process of a real operator ends here; this one tries a little longer to write.
await sleep(300);
process.exit();
