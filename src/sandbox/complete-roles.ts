import { equalJson } from "../apimachinery/equal.ts";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { rulesNotHeld } from "../apiserver/access/check-escalation.ts";
import type { PolicyRule } from "../apiserver/access/authorization.ts";
import type { Snapshot } from "../apiserver/storage/store.ts";

/**
 * Returns a saved state with what it lacks of the default roles and bindings, as a server completes them at each start: an
 * older version knew fewer rules. What was added to them stays. Returns the same state if it lacks nothing.
 */
export function completeRoles(saved: Snapshot, defaults: Snapshot): Snapshot {
  const revision = saved.revision + 1;
  const objects = { ...saved.objects };
  let isComplete = true;
  for (const [resource, expected] of Object.entries(defaults.objects)) {
    const entries = { ...objects[resource] };
    for (const [key, role] of Object.entries(expected)) {
      const completed = complete(entries[key], role);
      if (completed === entries[key]) continue;
      isComplete = false;
      entries[key] = { ...completed, metadata: { ...completed.metadata, resourceVersion: `${revision}` } };
    }
    objects[resource] = entries;
  }
  return isComplete ? saved : { ...saved, revision, objects };
}

/** A role or a binding. */
interface Role extends UnstructuredObject {
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly object[] };
  readonly roleRef?: object;
  readonly subjects?: readonly object[];
}

function complete(saved: Role | undefined, expected: Role): Role {
  if (!saved || !equalJson(saved.roleRef, expected.roleRef)) return expected;
  const { annotations, labels } = saved.metadata;
  if (annotations?.["rbac.authorization.kubernetes.io/autoupdate"] === "false") return saved;
  const rules = rulesNotHeld(saved.rules ?? [], expected.rules ?? []);
  const subjects = missingOf(saved.subjects, expected.subjects);
  const selectors = missingOf(
    saved.aggregationRule?.clusterRoleSelectors,
    expected.aggregationRule?.clusterRoleSelectors,
  );
  const completed: Role = {
    ...saved,
    metadata: {
      ...saved.metadata,
      annotations: { ...expected.metadata.annotations, ...annotations },
      labels: { ...expected.metadata.labels, ...labels },
    },
    ...(rules.length > 0 && { rules: [...(saved.rules ?? []), ...rules] }),
    ...(subjects.length > 0 && { subjects: [...(saved.subjects ?? []), ...subjects] }),
    ...(selectors.length > 0 && {
      aggregationRule: {
        clusterRoleSelectors: [...(saved.aggregationRule?.clusterRoleSelectors ?? []), ...selectors],
      },
    }),
  };
  return equalJson(completed, saved) ? saved : completed;
}

function missingOf(held: readonly object[] = [], wanted: readonly object[] = []): object[] {
  return wanted.filter((each) => !held.some((other) => equalJson(other, each)));
}
