import { spawnSync } from "node:child_process";

/** Returns a tool for images if it is installed. */
export function findTool(name: string): string | undefined {
  return spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0 || spawnSync(name, ["version"]).status === 0
    ? name
    : undefined;
}
