// Writes src/sandbox/default-roles-RELEASE.json: the roles and bindings that every cluster starts with, as a real API server
// had them when the conformance suite was recorded (scenario controllers-roles).
// Usage: node lab/record/kubernetes/default-roles.mjs RELEASE
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const root = new URL("../../../", import.meta.url);
const recordings = [process.argv[2], "apiserver"].map(
  (folder) => new URL(`test/conformance/recorded/${folder}/controllers-roles.json`, root),
);
const answers = JSON.parse(readFileSync(recordings.find(existsSync), "utf8"));

const lists = answers.map(({ step, body }) => {
  const objects = body.map((object) => JSON.stringify(shortenRole(object)));
  return `${JSON.stringify(step.split("/").at(-1))}: [\n${objects.join(",\n")}\n]`;
});
writeFileSync(new URL(`src/sandbox/default-roles-${process.argv[2]}.json`, root), `{\n${lists.join(",\n")}\n}\n`);

/** Drops the fields that all roles share, and rules that a controller aggregates. */
function shortenRole({ metadata, rules, aggregationRule, roleRef, subjects }) {
  const { "kubernetes.io/bootstrapping": _, ...labels } = metadata.labels;
  return {
    name: metadata.name,
    namespace: metadata.namespace,
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(aggregationRule ? { aggregationRule } : { rules }),
    roleRef,
    subjects,
  };
}
