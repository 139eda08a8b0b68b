import { optionalValidators } from "./optional-validators.ts";

/** Formats the table of the validators for `--select-optional`. */
export function formatValidators(): string {
  const rows = optionalValidators.flatMap(({ name, labels, description }) =>
    Object.entries(labels).map(([key, value], index) =>
      index === 0 ? [name, `${key}=${value}`, description] : ["", `${key}=${value}`, ""],
    ),
  );
  const table = [["NAME", "LABELS", "DESCRIPTION"], ...rows];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]!.length)) + 3);
  const line = ([name = "", label = "", description = ""]: string[]): string =>
    `${name.padEnd(widths[0]!)}${label.padEnd(widths[1]!)}${description}`.trimEnd();
  return `${table.map(line).join("\n")}\n`;
}
