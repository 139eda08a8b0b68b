// The twin of a controller-runtime operator, for comparisons: one Deployment for each Memcached, then the status.
// `npm run build`, then: node lab/bench/memcached-operator.js [--concurrent N] [--stalls] [flags of the manager]
// With --stalls it prints at its end how many milliseconds a turn of the event loop lasted and computed at the longest.
import {
  controllerManagedBy,
  createManager,
  defineKind,
  equalJson,
  isAlreadyExists,
  loadConfig,
  parseManagerFlags,
  setCondition,
  setControllerReference,
  setupSignalHandler,
} from "../../dist/index.js";

const argv = process.argv.slice(2);
const at = argv.findIndex((argument) => argument.startsWith("--concurrent"));
const [flag = "", next = "1"] = at < 0 ? [] : argv.splice(at, argv[at].includes("=") ? 1 : 2);
const maxConcurrentReconciles = Number(flag.split("=")[1] ?? next);

const stallsAt = argv.indexOf("--stalls");
const stalls = stallsAt < 0 ? undefined : (await import("./watch-stalls.js")).watchStalls();
if (stalls) argv.splice(stallsAt, 1);

const Memcached = defineKind({
  group: "cache.example.com",
  version: "v1alpha1",
  kind: "Memcached",
  plural: "memcacheds",
  subresources: ["status"],
});
const Deployment = defineKind({ group: "apps", version: "v1", kind: "Deployment", plural: "deployments" });

const flags = parseManagerFlags(["--metrics-bind-address=127.0.0.1:0", "--metrics-secure=false", ...argv]);
const mgr = await createManager(await loadConfig(flags), {
  ...flags.managerOptions,
  leaderElection: { ...flags.managerOptions.leaderElection, id: "bench.cache.example.com" },
});
const { client } = mgr;

await controllerManagedBy(mgr)
  .for(Memcached)
  .owns(Deployment)
  .named("memcached")
  .withOptions({ maxConcurrentReconciles })
  .complete({ reconcile });
await mgr.start(setupSignalHandler());
if (stalls) console.log(JSON.stringify(stalls()));

async function reconcile(request) {
  const memcached = await client.getOrUndefined(Memcached, request);
  if (!memcached || memcached.metadata.deletionTimestamp) return;
  await ensureDeployment(memcached, request);
  await reportStatus(memcached);
}

async function ensureDeployment(memcached, request) {
  const { size } = memcached.spec;
  const found = await client.getOrUndefined(Deployment, request);
  if (found?.spec.replicas === size) return;
  if (found) {
    await client.update(Deployment, { ...found, spec: { ...found.spec, replicas: size } });
    return;
  }
  const wanted = deploymentFor(memcached);
  setControllerReference(memcached, wanted);
  try {
    await client.create(Deployment, wanted);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function reportStatus(memcached) {
  const { size } = memcached.spec;
  const status = (memcached.status ??= {});
  const nodes = Array.from({ length: size }, (_, index) => `${memcached.metadata.name}-${index}`);
  const condition = {
    type: "Available",
    status: "True",
    reason: "Reconciled",
    message: `Deployment has ${size} replicas`,
    observedGeneration: memcached.metadata.generation,
  };
  const changed = setCondition((status.conditions ??= []), condition);
  if (!changed && equalJson(status.nodes, nodes)) return;
  status.nodes = nodes;
  await client.status.update(Memcached, memcached);
}

function deploymentFor({ metadata: { name, namespace }, spec: { size } }) {
  const labels = { "app.kubernetes.io/name": "memcached", "app.kubernetes.io/instance": name };
  const container = {
    name: "memcached",
    image: "memcached:1.6-alpine",
    command: ["memcached", "-m=64", "-o", "modern", "-v"],
    ports: [{ name: "memcached", containerPort: 11211 }],
  };
  return {
    metadata: { name, namespace, labels },
    spec: {
      replicas: size,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { securityContext: { runAsNonRoot: true }, containers: [container] },
      },
    },
  };
}
