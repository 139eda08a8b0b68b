import { kubernetesRelease } from "../../apimachinery/kubernetes-version.ts";
import type { Io } from "../io.ts";
import { loadOwnPackage } from "./own-package.ts";

/**
 * Prints the versions of tsop, of its Kubernetes and of Node. Loads no packages: bin calls it without the command tree.
 */
export async function printVersion(
  io: Pick<Io, "disk" | "nodeVersion" | "stdout">,
  format: "text" | "json" = "text",
): Promise<void> {
  const { version } = await loadOwnPackage(io.disk);
  const facts = { version: `v${version}`, kubernetes: `v${kubernetesRelease}`, node: `v${io.nodeVersion}` };
  const text = Object.entries(facts).map(([name, value]) => `${name === "version" ? "tsop" : name}: ${value}`);
  io.stdout.write(format === "json" ? `${JSON.stringify(facts)}\n` : `${text.join(", ")}\n`);
}
