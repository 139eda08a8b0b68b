import { equalJson } from "../../apimachinery/equal.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import type { Condition, UnstructuredObject } from "../../apimachinery/meta.ts";
import { CsvKind, OperatorKind, type CsvObject } from "../../manifests/olm-kinds.ts";
import { enqueueFromMap } from "../../runtime/controller/handlers.ts";
import { runController, watch } from "../simulation/context/run-controller.ts";
import type { SimulationContext } from "../simulation/context/simulation-context.ts";
import { componentKinds } from "./component-kinds.ts";
import { olmUser } from "./olm-user.ts";
import { componentPrefix, operatorNames } from "./owned-names.ts";

/** Keeps an Operator for each package that is installed in a namespace, whose status has its objects. */
export function runOperators(context: SimulationContext): Promise<void> {
  const client = context.clientFor(olmUser);
  const operators = enqueueFromMap(async (object) => operatorNames(object).map((name) => ({ name })));
  return runController(context, {
    sources: [watch(context, OperatorKind), ...componentKinds.map((kind) => watch(context, kind, operators))],
    step: async ({ name }) => {
      const operator = await client.getOrUndefined(OperatorKind, { name });
      const refs = await findComponents(context, name);
      // OLM deletes no Operator, but makes none without objects.
      if (!operator && refs.length === 0) return;
      const known = operator ?? (await client.create(OperatorKind, { metadata: { name } }));
      const labelSelector = { matchExpressions: [{ key: componentPrefix + name, operator: "Exists" }] };
      const status = { components: { labelSelector, ...(refs.length > 0 && { refs }) } };
      if (!equalJson(known["status"], status)) await client.status.update(OperatorKind, { ...known, status });
    },
  });
}

interface Component {
  readonly kind: string;
  readonly apiVersion: string;
  readonly namespace?: string;
  readonly name: string;
  readonly conditions?: readonly object[];
}

/** Reads the cache: each change of a component leads to the next step. */
async function findComponents({ cache }: SimulationContext, name: string): Promise<Component[]> {
  const labels = componentPrefix + name;
  const lists = componentKinds.map(async (kind) => {
    const { items } = await cache.list(kind, { labels });
    return items.map((object) => componentOf(kind, object));
  });
  const order = ({ kind, apiVersion, namespace = "", name: own }: Component): string =>
    [kind, apiVersion, namespace, own].join("\n");
  return (await Promise.all(lists)).flat().toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

function componentOf({ group, version, kind }: Kind, object: UnstructuredObject): Component {
  const { name = "", namespace } = object.metadata;
  const conditions = conditionsOf(kind, object);
  return {
    kind,
    apiVersion: group ? `${group}/${version}` : version,
    ...(namespace !== undefined && { namespace }),
    name,
    ...(conditions.length > 0 && { conditions }),
  };
}

type ConditionInTime = Condition & { readonly lastUpdateTime?: string };

/** Returns the conditions of an object; those of a CSV are one, of its phase. */
function conditionsOf(kind: string, object: UnstructuredObject): object[] {
  if (kind === CsvKind.kind) {
    const { phase, reason, message, lastUpdateTime, lastTransitionTime } =
      (object as unknown as CsvObject).status ?? {};
    return [{ type: phase, status: "True", reason, message, lastUpdateTime, lastTransitionTime }];
  }
  const { conditions } = (object["status"] ?? {}) as { conditions?: ConditionInTime[] | null };
  return (conditions ?? []).map(({ type, status, reason, message, lastUpdateTime, lastTransitionTime }) => ({
    type,
    status,
    reason,
    message,
    lastUpdateTime,
    lastTransitionTime,
  }));
}
