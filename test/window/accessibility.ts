import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "vitest";
import type { Visit } from "./browser.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];

/** Expects that axe finds nothing on the page as it is now. */
export async function expectAccessible({ page, complaints }: Visit, place: string): Promise<void> {
  const earlier = [...complaints];
  const found = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `${axe};axe.run(document, { runOnly: ${JSON.stringify(rules)} })`,
  );
  const violations = found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  expect({ place, violations }).toEqual({ place, violations: [] });
  // axe uses inline styles, which the policy refuses.
  complaints.splice(0, complaints.length, ...earlier);
}
