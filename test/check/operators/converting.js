// The correct operator with a conversion webhook: users may write v1alpha1, and the server stores v1. With CONVERSION_BUG, the
// way back forgets the field of that name.
import {
  createClient,
  createManager,
  hubSpoke,
  loadConfig,
  parseManagerFlags,
  setupSignalHandler,
  spoke,
  webhookManagedBy,
} from "../../../dist/index.js";
import { CacheOperator } from "./cache-operator.js";
import { Cache, CacheV1Alpha1 } from "./kinds.js";

const unprobed = ["--metrics-bind-address=0", "--health-probe-bind-address=0"];
const flags = parseManagerFlags([...unprobed, ...process.argv.slice(2)]);
const config = await loadConfig(flags);
const mgr = await createManager(config, flags.managerOptions);
const alpha = spoke(
  CacheV1Alpha1,
  ({ spec: { size, ...spec } = {}, ...rest }) => ({ ...rest, spec: { ...spec, replicas: size } }),
  ({ spec: { replicas, ...spec } = {}, ...rest }) => {
    const back = { ...spec, size: replicas };
    delete back[process.env.CONVERSION_BUG];
    return { ...rest, spec: back };
  },
);
webhookManagedBy(mgr, Cache)
  .withConverter(hubSpoke(Cache, [alpha]))
  .complete();
await new CacheOperator(mgr, createClient({ config })).start();
await mgr.start(setupSignalHandler());
