import type { ForbiddenAction, SandboxOptions } from "../../sandbox/start-sandbox.ts";
import { CsvKind } from "../../client/manifests/olm-kinds.ts";
import { permissionHint } from "../target/permission-hint.ts";

/** Explains to an operator that OLM runs why a request is forbidden: a rule is missing, or it is being removed. */
export class BundleHints {
  /** The namespaces of the CSVs that are not being deleted, by UID. */
  private readonly installed = new Map<string, string>();

  /** Follows the changes of the server. */
  readonly onChange: NonNullable<SandboxOptions["onChange"]> = (resource, { type, object }) => {
    if (resource !== `${CsvKind.group}/${CsvKind.plural}`) return;
    const { uid = "", namespace = "", deletionTimestamp } = object.metadata;
    if (type === "DELETED" || deletionTimestamp) this.installed.delete(uid);
    else this.installed.set(uid, namespace);
  };

  /** Returns the hint of a forbidden request; `undefined` unless the user is a service account. */
  readonly explain = (action: ForbiddenAction): string | undefined => {
    const [, namespace] = /^system:serviceaccount:([^:]+):/.exec(action.user.username) ?? [];
    if (namespace === undefined || [...this.installed.values()].includes(namespace)) return permissionHint(action);
    return "the operator is being removed: the permissions of its bundle go before its pod";
  };
}
