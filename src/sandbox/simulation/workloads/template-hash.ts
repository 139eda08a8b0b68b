import { createHash } from "node:crypto";
import { equalJson } from "../../../apimachinery/equal.ts";
import { sortMembers } from "../../../apimachinery/sort-members.ts";
import type { PodTemplate } from "../context/simulated-kinds.ts";

/** Returns the name suffix of a pod template: ten characters that form no words. */
export function templateHash(template: object, collisions: number): string {
  const digest = createHash("sha256")
    .update(JSON.stringify(sortMembers(template)))
    .update(String(collisions))
    .digest();
  return Array.from(digest.subarray(0, 10), (byte) => alphabet[byte % alphabet.length]).join("");
}

/** Reports whether two pod templates are the same except for the hash label that the deployment adds. */
export function sameTemplate(a: PodTemplate, b: PodTemplate): boolean {
  return equalJson(withoutHash(a), withoutHash(b));
}

const alphabet = "bcdfghjklmnpqrstvwxz2456789";

function withoutHash(template: PodTemplate): PodTemplate {
  const { "pod-template-hash": _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}
