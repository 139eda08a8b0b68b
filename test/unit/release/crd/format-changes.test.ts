import { expect, it } from "vitest";
import type { CrdChange } from "../../../../src/apimachinery/crd/compare-crds.ts";
import { formatChanges } from "../../../../src/release/crd/format-changes.ts";

const changes: CrdChange[] = [
  { crd: "b.example.com", change: "added", verdict: "safe", reason: "A new kind." },
  {
    crd: "a.example.com",
    version: "v1",
    change: "spec.x: pattern a|b → c%",
    verdict: "breaks writers",
    reason: "It is.",
  },
  {
    crd: "a.example.com",
    version: "v1",
    change: "spec.y: removed",
    verdict: "loses stored data",
    reason: "It is gone.",
  },
];

it("formats text, the worst change of each CRD first", () => {
  expect(formatChanges(changes, "text")).toBe(`a.example.com
  loses stored data: v1 spec.y: removed
    It is gone.
  breaks writers: v1 spec.x: pattern a|b → c%
    It is.
b.example.com
  safe: added
    A new kind.
3 changes: 1 loses stored data, 1 breaks writers, 1 safe
`);
  expect(formatChanges([], "text")).toBe("no changes\n");
});

it("formats JSON", () => {
  expect(JSON.parse(formatChanges(changes, "json"))).toEqual({ changes: [changes[2], changes[1], changes[0]] });
});

it("formats a table in Markdown, whose cells keep their bars", () => {
  const [count, , , , , row] = formatChanges(changes, "markdown").split("\n");
  expect(count).toBe("**3 changes: 1 loses stored data, 1 breaks writers, 1 safe**");
  expect(row).toBe("| breaks writers | a.example.com v1 | `spec.x: pattern a\\|b → c%` | It is. |");
});

it("formats annotations of GitHub", () => {
  expect(formatChanges(changes, "github").split("\n").slice(1)).toEqual([
    "::error title=a.example.com v1 breaks writers::spec.x: pattern a|b → c%25. It is.",
    "::notice title=b.example.com safe::added. A new kind.",
    "",
  ]);
});
