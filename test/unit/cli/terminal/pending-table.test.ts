import { expect, it } from "vitest";
import { PendingTable } from "../../../../src/cli/terminal/pending-table.ts";

/** Returns what a terminal shows after these writes: it knows the sequences that a table uses. */
function screen(written: string): string[] {
  const lines = [""];
  let row = 0;
  for (const part of written.replaceAll("\u001b", "ESC").split(/(\n|\rESC\[\d+AESC\[J)/)) {
    if (part === "\n") lines[++row] ??= "";
    else if (part.startsWith("\r")) {
      row -= Number(/\d+/.exec(part)?.[0]);
      lines.splice(row, lines.length, "");
    } else lines[row] += part;
  }
  return lines.filter(Boolean);
}

function start(columns: number): { table: PendingTable; shown: () => string[]; writes: () => number } {
  const written: string[] = [];
  const table = new PendingTable({ write: (text) => void written.push(text), isTTY: true, columns });
  return { table, shown: () => screen(written.join("")), writes: () => written.length };
}

it("shows control characters of a state, in a line that fits", () => {
  const { table, shown } = start(20);
  table.show([{ name: "a", state: "\u001b]0;title\u0007 of a server" }]);
  expect(shown()).toEqual(["  a  \\x1b]0;title\\x"]);
});

it("draws rows again in place, below the lines that stay", () => {
  const { table, shown } = start(80);
  table.write("namespaces/olm applied");
  table.show([
    { name: "deployment olm-operator", state: "is not available yet" },
    { name: "packageserver", state: "no phase" },
  ]);
  table.write("deployment olm-operator is ready");
  table.show([{ name: "packageserver", state: "Installing: wait" }]);
  expect(shown()).toEqual([
    "namespaces/olm applied",
    "deployment olm-operator is ready",
    "  packageserver  Installing: wait",
  ]);
  table.show([]);
  expect(shown()).toEqual(["namespaces/olm applied", "deployment olm-operator is ready"]);
});

it("keeps each row on one line, and writes nothing if nothing has changed", () => {
  const { table, shown, writes } = start(20);
  const rows = [{ name: "packageserver", state: "Installing: a long message\nof two lines" }];
  table.show(rows);
  table.show(rows);
  expect(writes()).toBe(1);
  expect(shown()).toEqual(["  packageserver  In"]);
});
