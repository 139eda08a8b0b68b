import { TsopError } from "../../errors/tsop-error.ts";

/** A place in a user's file where commands insert lines: the comment `+kubebuilder:scaffold:<name>`. */
export interface ScaffoldPoint {
  readonly path: string;
  readonly name: string;
}

/**
 * Inserts lines above a scaffold point, with its indentation. Lines that exist are not inserted again. A file without
 * the point is an error that shows the lines to add by hand.
 */
export function insertAtPoint(text: string, point: ScaffoldPoint, fragment: string): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => isPoint(line, point.name));
  if (at < 0) {
    const comment = point.path.endsWith(".ts") ? "//" : "#";
    const marker = `${comment} +kubebuilder:scaffold:${point.name}`;
    throw new TsopError("TSOP_SCAFFOLD_POINT_MISSING", { path: point.path, marker, snippet: fragment });
  }
  const wanted = fragment.split("\n");
  if (indexOfLines(lines, wanted) >= 0) return text;
  const margin = /^\s*/.exec(lines[at]!)![0];
  lines.splice(at, 0, ...wanted.map((line) => (line === "" ? line : margin + line)));
  return lines.join("\n");
}

/** Removes lines that `insertAtPoint` inserted; does nothing if they are absent. */
export function removeFragment(text: string, fragment: string): string {
  const lines = text.split("\n");
  const wanted = fragment.split("\n");
  const at = indexOfLines(lines, wanted);
  if (at < 0) return text;
  lines.splice(at, wanted.length);
  return lines.join("\n");
}

/** Reports whether a line is a scaffold point of any name. */
export function isScaffoldPoint(line: string): boolean {
  return isPoint(line.trimEnd(), "[\\w-]+");
}

function isPoint(line: string, name: string): boolean {
  return new RegExp(`^\\s*(//|#)\\s*\\+kubebuilder:scaffold:${name}\\s*$`).test(line);
}

function indexOfLines(lines: readonly string[], wanted: readonly string[]): number {
  return lines.findIndex((_line, start) => wanted.every((line, at) => lines[start + at]?.trim() === line.trim()));
}
