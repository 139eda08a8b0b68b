// Embedded servers in one process, for the fleet benchmark. Sends their kubeconfigs, and ends with its parent.
import { TestEnvironment } from "../../dist/testing/index.js";

const servers = Array.from({ length: Number(process.argv[2]) }, () => new TestEnvironment({ env: {} }));
for (const server of servers) await server.start();
process.send(servers.map(({ config, kubeconfig }) => ({ config, kubeconfig })));
process.on("disconnect", () => process.exit());
