import { TsopError } from "../../../errors/tsop-error.ts";

/** A place in a user's file where commands insert lines: the comment `+kubebuilder:scaffold:<name>`. */
export interface ScaffoldPoint {
  readonly path: string;
  readonly name: string;
}

/**
 * Inserts lines above a scaffold point, with its indentation; an empty list of YAML, `[]`, gets its first items. Lines
 * that exist are not inserted again. A file without the point is an error that shows the lines to add by hand.
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
  if (at > 0) lines[at - 1] = lines[at - 1]!.replace(/: \[\]$/, ":");
  return lines.join("\n");
}

/** Removes lines that `insertAtPoint` inserted, and leaves an empty list as `[]`; does nothing if they are absent. */
export function removeFragment(text: string, fragment: string): string {
  const lines = text.split("\n");
  const wanted = fragment.split("\n");
  const at = indexOfLines(lines, wanted);
  if (at < 0) return text;
  lines.splice(at, wanted.length);
  const [above = "", below = ""] = lines.slice(at - 1);
  if (above.endsWith(":") && isScaffoldPoint(below)) lines[at - 1] = `${above} []`;
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
