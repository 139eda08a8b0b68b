// Starts the operator, or one of its variants: node main.js [--bug NAME] [flags of the manager]
import { createClient, createManager, loadConfig, parseManagerFlags, setupSignalHandler } from "../../../dist/index.js";
import { bugs } from "./bugs.js";
import { CacheOperator } from "./cache-operator.js";
import { nearMisses } from "./near-misses.js";
import { scheduleBugs } from "./schedule-bugs.js";

const argv = process.argv.slice(2);
const [, bug] = argv[0] === "--bug" ? argv.splice(0, 2) : [];
const Operator = bug === undefined ? CacheOperator : { ...bugs, ...scheduleBugs, ...nearMisses }[bug];
if (!Operator) throw new Error(`there is no variant ${bug}`);

const flags = parseManagerFlags([
  "--metrics-bind-address=0",
  "--health-probe-bind-address=0",
  ...(Operator.leaderElection === false ? [] : ["--leader-elect"]),
  ...argv,
]);
const config = await loadConfig(flags);
const mgr = await createManager(config, {
  ...flags.managerOptions,
  leaderElection: { ...flags.managerOptions.leaderElection, id: "cache.check.example.com", namespace: "cache-system" },
});
await new Operator(mgr, createClient({ config })).start();
await mgr.start(setupSignalHandler());
