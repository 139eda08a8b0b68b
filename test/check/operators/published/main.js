// Starts the port of a published operator, its bug included: node main.js NAME [flags of the manager]
import { createManager, loadConfig, parseManagerFlags, setupSignalHandler } from "../../../../dist/index.js";
import { setupExternalSecrets } from "./external-secrets.js";
import { setupZookeeper } from "./zookeeper.js";

const setups = { zookeeper: setupZookeeper, "external-secrets": setupExternalSecrets };
const [name, ...argv] = process.argv.slice(2);
const flags = parseManagerFlags(["--metrics-bind-address=0", "--health-probe-bind-address=0", ...argv]);
const mgr = await createManager(await loadConfig(flags), flags.managerOptions);
await setups[name](mgr);
await mgr.start(setupSignalHandler());
