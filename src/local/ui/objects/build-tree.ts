import type { ObjectRow } from "../../window/contract.ts";

/** Which objects are shown. Empty texts accept all. */
export interface ObjectFilter {
  readonly kind: string;
  readonly namespace: string;
  /** `app=web,tier!=db`, as kubectl's `-l`. */
  readonly labels: string;
  readonly text: string;
  readonly system: boolean;
}

/** A visible line of the tree. */
export interface TreeLine {
  readonly row: ObjectRow;
  /** From 1. */
  readonly level: number;
  readonly isParent: boolean;
  readonly isOpen: boolean;
  /** False for a parent that is only shown because of its children. */
  readonly matches: boolean;
}

/** Returns the lines of the objects that a filter accepts, each below its owner; an owner is shown with its objects. */
export function buildTree(rows: Iterable<ObjectRow>, filter: ObjectFilter, closed: ReadonlySet<string>): TreeLine[] {
  const all = [...rows];
  const byUid = new Map(all.map((row) => [row.uid, row]));
  const accepts = matcherOf(filter);
  const matching = new Set(all.filter(accepts));
  const shown = new Set(matching);
  const children = new Map<ObjectRow, ObjectRow[]>();
  const roots: ObjectRow[] = [];
  // The set grows while it is walked: owners follow their objects.
  for (const row of shown) {
    const owner = ownerOf(row, byUid);
    if (!owner) {
      roots.push(row);
      continue;
    }
    const siblings = children.get(owner);
    if (siblings) siblings.push(row);
    else children.set(owner, [row]);
    shown.add(owner);
  }
  const lines: TreeLine[] = [];
  const visited = new Set<ObjectRow>();
  const walk = (level: number, list: readonly ObjectRow[]): void => {
    for (const row of list.toSorted(compareRows)) {
      if (visited.has(row)) continue;
      visited.add(row);
      const below = children.get(row) ?? [];
      const isOpen = !closed.has(row.id);
      lines.push({ row, level, isParent: below.length > 0, isOpen, matches: matching.has(row) });
      if (isOpen && below.length > 0) walk(level + 1, below);
    }
  };
  walk(1, roots);
  return lines;
}

function ownerOf({ owners, uid }: ObjectRow, byUid: ReadonlyMap<string, ObjectRow>): ObjectRow | undefined {
  for (const owner of owners) {
    const found = owner === uid ? undefined : byUid.get(owner);
    if (found) return found;
  }
  return undefined;
}

function matcherOf({ kind, namespace, labels, text, system }: ObjectFilter): (row: ObjectRow) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = parseLabels(labels);
  return (row) => {
    if (!system && row.system && row.kind !== kind) return false;
    if (kind !== "" && row.kind !== kind) return false;
    if (namespace !== "" && row.namespace !== namespace) return false;
    if (!wanted.every((holds) => holds(row.labels))) return false;
    if (words.length === 0) return true;
    const where = `${row.kind} ${row.namespace}/${row.name} ${row.status.text}`.toLowerCase();
    return words.every((word) => where.includes(word));
  };
}

type LabelTest = (labels: Readonly<Record<string, string>>) => boolean;

function parseLabels(selector: string): LabelTest[] {
  const terms = selector.split(",").map((term) => term.trim());
  return terms.filter(Boolean).map((term) => {
    const [, key = "", operator = "", value = ""] = /^(!?[^!=\s]+)\s*(!=|==?)?\s*(.*)$/.exec(term) ?? [];
    if (operator === "!=") return (labels) => labels[key] !== value;
    if (operator !== "") return (labels) => labels[key] === value;
    return key.startsWith("!") ? (labels) => !(key.slice(1) in labels) : (labels) => key in labels;
  });
}

const keys = new WeakMap<ObjectRow, string>();

/** Custom resources come first, then workloads, then the rest. */
function keyOf(row: ObjectRow): string {
  let key = keys.get(row);
  if (key === undefined) {
    const rank = isCustom(row.group) ? 0 : /^(apps|batch)$/.test(row.group) ? 1 : row.kind === "Pod" ? 2 : 3;
    keys.set(row, (key = `${rank} ${row.namespace} ${row.kind} ${row.name}`));
  }
  return key;
}

function compareRows(a: ObjectRow, b: ObjectRow): number {
  return keyOf(a) < keyOf(b) ? -1 : 1;
}

function isCustom(group: string): boolean {
  return group.includes(".") && !group.endsWith(".k8s.io");
}
