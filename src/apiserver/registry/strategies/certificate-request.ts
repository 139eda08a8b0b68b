import { cloneJson } from "../../../apimachinery/clone.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { child } from "../../../apimachinery/fields.ts";
import type { Strategy } from "../strategy.ts";

/** Who asks is what the server saw, not what the request claims; what is asked for never changes. */
export const certificateRequestStrategy: Strategy = {
  unconditionalUpdate: true,
  prepareCreate(request, { user }) {
    const spec = child(request, "spec");
    for (const field of ["username", "uid", "groups", "extra"]) delete spec[field];
    Object.assign(spec, cloneJson(user ?? {}));
    request["status"] = {};
  },
  prepareUpdate(request, old) {
    request["spec"] = cloneJson(old["spec"]);
  },
};

interface Condition {
  readonly type: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
}

/** What `/approval` takes of a body: the conditions. */
export function approved(sent: UnstructuredObject, live: UnstructuredObject, now: string): UnstructuredObject {
  const conditionsOf = ({ status }: UnstructuredObject) =>
    (status as { conditions?: Condition[] } | undefined)?.conditions ?? [];
  const before = conditionsOf(live);
  const conditions = conditionsOf(sent).map((condition) => {
    const same = before.find(({ type, status }) => type === condition.type && status === condition.status);
    return { lastUpdateTime: now, ...condition, lastTransitionTime: same?.lastTransitionTime ?? now };
  });
  return { ...cloneJson(live), status: { ...cloneJson(live["status"] as object), conditions } };
}
