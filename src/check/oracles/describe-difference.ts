import type { Difference } from "../world/object-state.ts";

/** Describes a difference; of texts with many lines, the first that differs. */
export function describeDifference({ id, path, expected, actual }: Difference): string {
  if (path === "") return expected === undefined ? `${id} exists, and should not` : `${id} is missing`;
  const [before, after] = [expected?.split("\n") ?? [], actual?.split("\n") ?? []];
  if (before.length <= 1 && after.length <= 1)
    return `${id} has ${path} = ${actual ?? "nothing"} instead of ${expected ?? "nothing"}`;
  const lines = Array.from({ length: Math.max(before.length, after.length) }, (_, index) => index);
  const line = lines.find((index) => before[index] !== after[index]) ?? 0;
  return `${id} has ${quote(after[line])} instead of ${quote(before[line])} in line ${line + 1} of ${path}`;
}

function quote(text: string | undefined): string {
  return text === undefined ? "nothing" : `“${text}”`;
}

/** Names a difference in a form that is the same for all objects and items of a sort. */
export function aboutDifference({ id, path, expected }: Difference): string {
  const [resource = ""] = id.split(" ");
  return path === ""
    ? `${resource} ${expected === undefined ? "left" : "missing"}`
    : `${resource} ${path.replace(/\d+/g, "*")}`;
}
