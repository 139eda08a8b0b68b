/** A finding at a place in a file. `line` and `column` count from 1. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string;
}

/**
 * All findings of a run, reported together.
 *
 * @example
 * try {
 *   await generate({ root: process.cwd(), disk: realDisk(), outputs: ["crd"], version: "1.0.0" });
 * } catch (error) {
 *   if (!(error instanceof DiagnosticsError)) throw error;
 *   console.error(error.diagnostics.map(formatDiagnostic).join("\n"));
 * }
 */
export class DiagnosticsError extends Error {
  override readonly name: string = "DiagnosticsError";
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join("\n"));
    this.diagnostics = diagnostics;
  }
}

/**
 * `file:line:column: message [code]`, with the hint on a line of its own.
 *
 * @example
 * const { warnings } = await generate({ root: process.cwd(), disk: realDisk(), outputs: ["crd"], version: "1.0.0" });
 * for (const warning of warnings) console.warn(formatDiagnostic(warning));
 */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, severity, message, code, hint } = diagnostic;
  const head = `${file}:${line}:${column}: ${severity}: ${message} [${code}]`;
  return hint ? `${head}\n  hint: ${hint}` : head;
}

/** Sorts by file, then position, so that two runs print the same text. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
