import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Finished {
  readonly code: number;
  readonly output: string;
}

/** Runs a program of node_modules to its end, with the embedded API server. */
export function runNode(program: string, args: readonly string[], cwd: string): Promise<Finished> {
  const { VITEST: _vitest, KUBEBUILDER_ASSETS: _assets, ...env } = process.env;
  const path = fileURLToPath(new URL(`../../node_modules/${program}`, import.meta.url));
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [path, ...args], { cwd, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, output: stdout + stderr }),
    );
  });
}

/**
 * A setup file for the tests of several projects: each names the files of its project relative to the working directory,
 * also while it is imported.
 */
export const enterProject = `import { relative, sep } from "node:path";
import { expect } from "vitest";

const [project] = relative(import.meta.dirname, expect.getState().testPath).split(sep);
process.chdir(import.meta.dirname + sep + project);
`;
