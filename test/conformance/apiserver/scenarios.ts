import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Scenario, Scenarios } from "./scenario.ts";

const folder = fileURLToPath(new URL("scenarios", import.meta.url));

/** Returns the scenarios of all files whose path below `scenarios/` is chosen. */
async function load(isChosen: (path: string) => boolean): Promise<readonly Scenario[]> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  const files = paths.filter((path) => path.endsWith(".ts") && isChosen(path));
  const modules = files.map((file) => import(join(folder, file)) as Promise<{ scenarios: Scenarios }>);
  const named = (await Promise.all(modules)).flatMap(({ scenarios }) => Object.entries(scenarios));
  return named.map(([name, scenario]) => ({ name, ...("steps" in scenario ? scenario : { steps: scenario }) }));
}

const isOfControllers = (path: string): boolean => path.startsWith("controllers");

/** Scenarios of the server alone; each has a recording under test/conformance/recorded/apiserver. */
export const scenarios: readonly Scenario[] = await load((path) => !isOfControllers(path));

/** What controllers make of objects, which is waited for. */
export const controllerScenarios: readonly Scenario[] = (await load(isOfControllers)).map((scenario) => ({
  ...scenario,
  controllers: true,
}));
