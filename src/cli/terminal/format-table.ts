/** Formats rows as columns, as kubectl does: at least eight characters wide, with four blanks between them. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, at) => Math.max(8, ...rows.map((row) => row[at]!.length + 4)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at]!))
          .join("")
          .trimEnd()}\n`,
    )
    .join("");
}
