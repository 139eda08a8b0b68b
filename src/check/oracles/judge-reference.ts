import type { Scenario } from "../scenario/scenario.ts";
import { diffStates, type Mask } from "../world/object-state.ts";
import type { RunRecord } from "../world/run-record.ts";
import { aboutDifference, describeDifference, judgeAlways, restless } from "./judge-run.ts";
import type { Violation } from "./violation.ts";

/** Judges the run in which nothing goes wrong. */
export function judgeReference(scenario: Scenario, record: RunRecord, mask: Mask): Violation[] {
  const tired = record.steps.filter(({ quiet }) => !quiet).map(({ name }) => restless(record, name));
  return [
    ...tired,
    ...notReverted(record, mask),
    ...afterDeletion(scenario, record),
    ...outdatedStatus(record),
    ...judgeAlways(record),
  ];
}

/** A change that is taken back must leave no trace. */
function notReverted({ steps }: RunRecord, mask: Mask): Violation[] {
  const [first] = steps;
  const last = steps.findLast(({ name }) => name.startsWith("change back"));
  if (!first || !last) return [];
  const differences = diffStates(first.state, last.state, mask);
  const [difference] = differences;
  if (!difference) return [];
  return [
    {
      oracle: "not-reverted",
      about: aboutDifference(difference),
      sentence: `After a field is changed and changed back, ${describeDifference(difference)}.`,
      differences,
    },
  ];
}

function afterDeletion({ steps }: Scenario, record: RunRecord): Violation[] {
  const last = steps.at(-1);
  const end = record.steps.at(-1);
  if (last?.action.type !== "delete" || end?.name !== last.name) return [];
  const { targets } = last.action;
  const left = [...end.state].map(([id, object]) => ({ id, object }));
  const undeleted = left.filter(({ object }) =>
    targets.some(({ kind, name }) => object.get("kind") === kind && object.get("metadata.name") === name),
  );
  const created = new Set(
    record.requests.flatMap(({ by, changes }) =>
      by === "operator" ? changes.filter(({ before, after }) => !before && after).map(({ id }) => id) : [],
    ),
  );
  return [
    ...undeleted.map(({ id, object }): Violation => ({
      oracle: "deletion-hangs",
      about: id.split(" ")[0] ?? id,
      sentence: `${id} still exists after its deletion: ${finalizersOf(object)}.`,
    })),
    ...left
      .filter(({ id }) => created.has(id) && !undeleted.some((each) => each.id === id))
      .map(({ id }): Violation => ({
        oracle: "leftover",
        about: id.split(" ")[0] ?? id,
        sentence: `${id}, which the operator has created, is left after the custom resource was deleted.`,
      })),
  ];
}

function finalizersOf(object: ReadonlyMap<string, string>): string {
  const names = [...object].filter(([path]) => path.startsWith("metadata.finalizers.")).map(([, name]) => name);
  return names.length > 0 ? `the finalizer ${names.join(", ")} is not removed` : "it is not removed";
}

function outdatedStatus({ steps }: RunRecord): Violation[] {
  for (const { name, state } of steps)
    for (const [id, object] of state)
      for (const [path, value] of object)
        if (value === "outdated")
          return [
            {
              oracle: "outdated-status",
              about: `${id.split(" ")[0]} ${path}`,
              sentence: `After the step “${name}”, ${path} of ${id} is older than its generation: the status does not tell of the last change.`,
            },
          ];
  return [];
}
