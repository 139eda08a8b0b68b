import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { markerReference, type MarkerDescription } from "../../../src/codegen/markers/reference.ts";
import { knownTypeNames } from "../../../src/codegen/types/known-types.ts";

// With TSOP_RECORD=1 the reference is written to the page; otherwise the page must contain it.

const page = fileURLToPath(new URL("../../../docs/types-and-markers.md", import.meta.url));
const written = await readFile(page, "utf8");
const end = "vitest run --project unit test/unit/docs/markers.test.ts -->\n";
const introduction = written.slice(0, written.indexOf(end) + end.length);

it("the page on markers matches the reference of the generators", async () => {
  const expected = introduction + formatReference();
  if (process.env["TSOP_RECORD"] === "1") await writeFile(page, expected);
  expect(await readFile(page, "utf8")).toBe(expected);
});

it("the page on types names every schema type of tsop", () => {
  expect(knownTypeNames().filter((name) => !introduction.includes(`\`${name}\``))).toEqual([]);
});

function formatReference(): string {
  const markers = markerReference();
  const rows = markers.map(
    ({ name, usage, targets, help, items, arguments: list }) =>
      `| \`${list.length > 0 ? `+${name}:…` : usage}\`${items ? " ¹" : ""} | ${targets.join(", ")} | ${cell(help)} |`,
  );
  const note =
    "¹ With `items:` before the last name (`+kubebuilder:validation:items:MaxLength`) it is about the elements of a list.";
  const table = ["| Marker | On | |", "|---|---|---|", ...rows].join("\n");
  const named = markers.filter((marker) => marker.arguments.length > 0).map(formatArguments);
  return `${["", table, note, "## Arguments", ...named].join("\n\n").slice(1)}\n`;
}

function formatArguments({ name, targets, arguments: list }: MarkerDescription): string {
  const rows = list.map(
    (argument) =>
      `| \`${argument.name}\` | ${argument.type}${argument.required ? ", required" : ""} | ${cell(argument.help)} |`,
  );
  return [`### +${name} (${targets.join(", ")})`, "", "| Argument | Type | |", "|---|---|---|", ...rows].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
