import { readFileSync } from "node:fs";

const text = readFileSync(new URL("../../../ARCHITECTURE.md", import.meta.url), "utf8");

export interface RoomRow {
  readonly rooms: readonly string[];
  readonly mayImport: ReadonlySet<string>;
  readonly ceiling: number;
}

/** Returns the rows of the first table of section 2. */
export function roomRows(): RoomRow[] {
  return [...text.matchAll(/^\| \d \| (.+?) \| .+ \| (.+?) \| ([\d,]+) \|$/gm)].map(
    ([, rooms = "", may = "", ceiling = ""]) => ({
      rooms: namesIn(rooms),
      mayImport: new Set(may === "nothing" ? [] : may.split(", ")),
      ceiling: parseCount(ceiling),
    }),
  );
}

/** Returns the order of the rooms inside each room, from the second table. */
export function innerRooms(): Map<string, string[]> {
  const section = text.split("| room | inside |")[1]!.split("\n\n")[0]!;
  const rows = [...section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)];
  return new Map(rows.map(([, room, inside]) => [room!, namesIn(inside!).filter((name) => !name.includes("."))]));
}

/** Returns the ceilings of the line below the first table: the folders, and the number of lines. */
export function totalCeilings(): { readonly paths: readonly string[]; readonly ceiling: number }[] {
  const line = /^Lines in total, at most: (.+?)\.$/ms.exec(text)?.[1] ?? "";
  return line.split(/;\s+/).map((part) => {
    const [, paths = "", ceiling = ""] = /^(.+?) ([\d,]+)$/.exec(part) ?? [];
    return { paths: namesIn(paths), ceiling: parseCount(ceiling) };
  });
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

function parseCount(count: string): number {
  return Number(count.replaceAll(",", ""));
}
