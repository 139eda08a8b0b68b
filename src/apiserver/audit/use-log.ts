import { parseJsonObjectOrUndefined } from "../../apimachinery/parse-json-object.ts";
import { rbacGroup, type PolicyRule } from "../access/authorization.ts";
import type { AuditEvent, StoredChange } from "./audit-event.ts";

/** The requests of an operator that need the same permission. */
export interface Use {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Absent at the scope of the cluster. */
  readonly namespace?: string;
  /** Absent if the request names no object. */
  readonly name?: string;
  /** True if the namespace is the operator's own. */
  readonly own?: true;
  readonly count: number;
  /** The first of these requests: `GET /api/v1/pods`. */
  readonly example: string;
  /** The rules of the roles that these requests write: their writer must have them, too. */
  readonly grants?: readonly PolicyRule[];
}

/** What an operator asked of a server in some runs. */
export interface UseRecord {
  readonly runs: number;
  readonly uses: readonly Use[];
}

/** The names of objects that are kept apart; requests for further ones count as those for the last. */
const mostNames = 20;

/** Collects the distinct uses of an operator's permissions. */
export class UseLog {
  private readonly uses = new Map<string, Use>();
  private readonly names = new Map<string, string[]>();

  get all(): readonly Use[] {
    return [...this.uses.values()];
  }

  /** Notes a request of an operator whose own namespace is `home`; requests for paths outside of the API are left out. */
  note({ request, access, changes }: AuditEvent, home: string): void {
    if (!access) return;
    const { verb, group, resource, subresource, namespace, name } = access;
    const grants = group === rbacGroup ? changes.flatMap(rulesIn) : [];
    const use: Use = {
      verb,
      group,
      resource,
      ...(subresource && { subresource }),
      ...(namespace && { namespace }),
      ...(name && { name }),
      ...(namespace === home && { own: true }),
      count: 1,
      // A query may hold secrets, such as the command of an exec.
      example: `${request.method} ${request.url.split("?", 1)[0]}`,
      ...(grants.length > 0 && { grants }),
    };
    this.add(use);
    // A patch or an update that creates an object needs both verbs.
    const creates = changes.some((change) => change.plural === resource && !change.before && !subresource);
    if (verb !== "create" && creates) this.add({ ...use, verb: "create" });
  }

  add(use: Use): void {
    const { count, example: _example, grants, name, ...place } = use;
    const id = JSON.stringify(place);
    const names = this.names.get(id) ?? [];
    const kept = name === undefined || names.includes(name) || names.length < mostNames ? name : names.at(-1);
    if (kept !== undefined && !names.includes(kept)) this.names.set(id, [...names, kept]);
    const key = `${id} ${kept ?? ""}`;
    const known = this.uses.get(key);
    if (!known) return void this.uses.set(key, use);
    const granted = new Set([...(known.grants ?? []), ...(grants ?? [])].map((rule) => JSON.stringify(rule)));
    const all = [...granted].map((rule) => JSON.parse(rule) as PolicyRule);
    this.uses.set(key, { ...known, count: known.count + count, ...(all.length > 0 && { grants: all }) });
  }
}

function rulesIn({ after }: StoredChange): readonly PolicyRule[] {
  return (after?.["rules"] ?? []) as readonly PolicyRule[];
}

/** Merges records: counts are added. */
export function mergeUses(records: readonly UseRecord[]): UseRecord {
  const log = new UseLog();
  for (const { uses } of records) for (const use of uses) log.add(use);
  return { runs: records.reduce((sum, { runs }) => sum + runs, 0), uses: log.all };
}

/** Formats a record as lines of JSON: the number of runs, then a use each. */
export function formatUses({ runs, uses }: UseRecord): string {
  return [{ runs }, ...uses].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Parses the lines of one or more records. Throws a SyntaxError if a line is not one of them. */
export function parseUses(text: string): UseRecord {
  const lines = text.split("\n").filter((line) => line !== "");
  const records = lines.map((line, index): UseRecord => {
    const value = parseJsonObjectOrUndefined(line) as Partial<Use> & Partial<UseRecord>;
    if (typeof value?.runs === "number") return { runs: value.runs, uses: [] };
    if (typeof value?.verb === "string") return { runs: 0, uses: [value as Use] };
    throw new SyntaxError(`line ${index + 1} is not a use`);
  });
  return mergeUses(records);
}
