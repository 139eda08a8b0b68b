import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { scriptOf } from "../../src/simulation/realm/operator-script.ts";
import { SimulationEngine, type SimulationOptions } from "../../src/simulation/simulation-engine.ts";

/** The main file of the operators of these tests. */
export const testOperator: string = fileURLToPath(new URL("operators/main.js", import.meta.url));

/** A simulation of the operators of these tests, with a bundle that is removed at the end. */
export interface TestSimulation {
  readonly engine: SimulationEngine;
  readonly folder: string;
  /** The scripts of the operators, as workers get them. */
  readonly scripts: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

interface TestSimulationOptions extends Pick<SimulationOptions, "limitMs"> {
  /** The main file of the operators; by default, the one that most tests use. */
  readonly main?: string;
}

export async function openTestSimulation(given: TestSimulationOptions = {}): Promise<TestSimulation> {
  const { main = testOperator, ...options } = given;
  const folder = await mkdtemp(join(tmpdir(), "tsop-test-simulation-"));
  const outfile = join(folder, "main.js");
  await build({
    entryPoints: [main],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["@kubernetes/client-node"],
    logLevel: "error",
  });
  const engine = await SimulationEngine.open({
    bundles: new Map([[main, outfile]]),
    seed: 1,
    epoch: Date.parse("2026-01-01T00:00:00Z"),
    ...options,
  });
  return {
    engine,
    folder,
    scripts: new Map([[main, scriptOf(outfile, await readFile(outfile, "utf8"))]]),
    async close() {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
