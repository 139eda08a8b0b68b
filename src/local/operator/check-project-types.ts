import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isTestFile } from "../../files/typescript-files.ts";
import { DiagnosticsError, type Diagnostic } from "../../errors/diagnostic.ts";

/**
 * Checks the operator's types with the project's own compiler, as esbuild ignores them; throws a DiagnosticsError.
 * Tests, and projects without a compiler, are skipped.
 */
export async function checkTypes(root: string, signal: AbortSignal): Promise<void> {
  const compiler = findCompiler(root);
  if (compiler === undefined || !existsSync(join(root, "tsconfig.json"))) return;
  const args = [compiler, "--noEmit", "--pretty", "false", "--project", root];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "ignore"], signal });
  const ended = new Promise<void>((resolve) => child.once("error", () => resolve()).once("exit", () => resolve()));
  const [output] = await Promise.all([text(child.stdout), ended]);
  if (signal.aborted) return;
  const diagnostics = output
    .split("\n")
    .flatMap(parseLine)
    .filter(({ file }) => !isTest(file));
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
}

/** Returns the compiler's program from the project's packages, or from its workspace. */
function findCompiler(root: string): string | undefined {
  const folders = createRequire(join(root, "package.json")).resolve.paths("typescript") ?? [];
  return folders.map((folder) => join(folder, "typescript", "bin", "tsc")).find(existsSync);
}

/** Parses `main.ts(3,7): error TS2322: …`; indented lines are details. */
function parseLine(line: string): Diagnostic[] {
  const [, file, row, column, code, message] = /^(\S.*)\((\d+),(\d+)\): error (TS\d+): (.*)$/.exec(line) ?? [];
  if (!file || !code || !message) return [];
  return [{ severity: "error", code, file, line: Number(row), column: Number(column), message }];
}

function isTest(file: string): boolean {
  return isTestFile(file) || file.startsWith("test/");
}
