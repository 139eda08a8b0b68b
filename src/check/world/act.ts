import { setTimeout as wait } from "node:timers/promises";
import type { Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Client } from "../../client/client.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { mergePatch } from "../../client/patches.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { applyManifests } from "../../client/manifests/apply-manifests.ts";
import { formatRef, type Action, type ObjectRef } from "../scenario/scenario.ts";

/** The time in which a condition must be met that a scenario waits for. */
const conditionLimitMs = 30_000;

/** The place of a user: a server, and the namespace of objects that name none. */
export interface Workplace {
  readonly client: Client;
  readonly namespace: string;
}

/** Carries out an action of a user. */
export async function act(place: Workplace, action: Action): Promise<void> {
  const { client, namespace } = place;
  switch (action.type) {
    case "apply":
      await applyManifests(
        { client, namespace },
        action.objects.map((object) => ({ file: "scenario", object: structuredClone(object) })),
      );
      return;
    case "patch": {
      const kind = await kindOf(client, action.target);
      const patched = client.patch(kind, placed(kind, action.target, place), mergePatch({ ...action.patch }));
      await (action.ifPresent ? patched.catch(ignoreNotFound) : patched);
      return;
    }
    case "delete":
      for (const target of action.targets) await deleteObject(place, target);
      return;
    case "wait":
      await untilCondition(place, action);
  }
}

/** Deletes an object, if it is there. */
export async function deleteObject(place: Workplace, target: ObjectRef): Promise<void> {
  const { client } = place;
  const kind = await kindOf(client, target);
  await client.delete(kind, placed(kind, target, place)).catch(ignoreNotFound);
}

async function untilCondition(
  place: Workplace,
  { target, condition, status }: Action & { type: "wait" },
): Promise<void> {
  const { client } = place;
  const kind = await kindOf(client, target);
  const end = performance.now() + conditionLimitMs;
  for (;;) {
    const object = await client.get(kind, placed(kind, target, place));
    const { conditions = [] } = (object["status"] ?? {}) as { conditions?: { type: string; status: string }[] };
    if (conditions.some((each) => each.type === condition && each.status === status)) return;
    if (performance.now() > end)
      throw new TsopError("TSOP_CHECK_CONDITION_MISSED", { object: formatRef(target), condition, status });
    await wait(50);
  }
}

function kindOf(client: Client, { apiVersion, kind }: ObjectRef): Promise<Kind<UnstructuredObject>> {
  return client.kindFor(apiVersion, kind);
}

/** Fills in the namespace in which manifests are applied. */
function placed({ scope }: Kind, target: ObjectRef, { namespace }: Workplace): ObjectRef {
  return scope === "Namespaced" ? { namespace, ...target } : target;
}
