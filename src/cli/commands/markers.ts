import { Command, Option } from "commander";
import type { MarkerDescription } from "../../codegen/markers/reference.ts";
import { UsageError } from "../../errors/tsop-error.ts";
import type { Io } from "../io.ts";

/** `tsop markers [text]` */
export function markersCommand(io: Io): Command {
  return new Command("markers")
    .description("print the markers that tsop supports")
    .argument("[text]", "print only markers whose name contains this text")
    .addOption(new Option("-o, --output <format>", "output format").choices(["text", "json"]).default("text"))
    .addHelpText(
      "after",
      `
Examples:
  tsop markers
  tsop markers rbac
  tsop markers --output json | jq -r '.[].usage'`,
    )
    .action(async (text: string | undefined, { output }: { output: "text" | "json" }) => {
      const { markerReference } = await import("../../codegen/markers/reference.ts");
      const found = markerReference().filter((marker) => isNamed(marker, text ?? ""));
      if (found.length === 0) throw new UsageError(`no marker has a name that contains '${text}'`);
      io.stdout.write(output === "json" ? `${JSON.stringify(found, null, 2)}\n` : found.map(describe).join("\n"));
    });
}

function isNamed({ name, items = "" }: MarkerDescription, text: string): boolean {
  const wanted = text.replace(/^\+/, "").toLowerCase();
  return [name, items].some((known) => known.toLowerCase().includes(wanted));
}

function describe({ usage, targets, help, items, arguments: list }: MarkerDescription): string {
  const width = Math.max(0, ...list.map(({ name }) => name.length));
  const lines = [
    `    ${help}`,
    `    on: ${targets.join(", ")}${items ? `; for the elements of a list: +${items}` : ""}`,
    ...list.map((argument) => {
      const kind = argument.required ? `${argument.type}, required` : argument.type;
      return `      ${argument.name.padEnd(width)}  ${argument.help} (${kind})`;
    }),
  ];
  return `${usage}\n${lines.join("\n")}\n`;
}
