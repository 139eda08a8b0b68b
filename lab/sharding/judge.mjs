// Holds the logs of the shards against the truth of the server.
import { readFileSync } from "node:fs";

/**
 * Returns the reconciles of a process and its writes. A reconcile that a SIGKILL has cut lasts until then. A frozen
 * process does nothing, so that a reconcile into which a freeze fell ends with its last write, when the server saw it.
 */
export function readLog({ log, name, stopped = Infinity, frozen }, timeOfWrite) {
  const reconciles = [];
  const writes = [];
  const open = new Map();
  let failures = 0;
  const close = (current, at) => {
    const wasFrozen = frozen.some(([from, to]) => current.from <= to && at >= from);
    reconciles.push({ ...current, to: wasFrozen ? current.worked : at });
  };
  for (const line of readFileSync(log, "utf8").split("\n").slice(0, -1)) {
    const [time, step, object, detail] = line.split(" ");
    const at = Number(time);
    const current = open.get(object);
    if (step === "begin") open.set(object, { shard: name, log, object, from: at, worked: at });
    if (step === "failure") failures++;
    if (step === "write") {
      const version = Number(detail);
      writes.push({ shard: name, object, version });
      current.worked = Math.min(at, timeOfWrite(object, version) ?? at);
    }
    if (step === "end") {
      open.delete(object);
      close(current, at);
    }
  }
  for (const current of open.values()) close(current, stopped);
  return { reconciles, writes, failures };
}

/** Groups by object; the reconciles of each are in the order of their begin. */
export function byObject(reconciles) {
  const groups = new Map();
  for (const each of reconciles.sort((a, b) => a.from - b.from)) {
    const known = groups.get(each.object);
    if (known) known.push(each);
    else groups.set(each.object, [each]);
  }
  return groups;
}

/** Returns pairs of reconciles of one object by two shards at once. */
export function findOverlaps(groups) {
  const overlaps = [];
  for (const all of groups.values()) {
    let last;
    for (const each of all) {
      if (last && each.from < last.to && each.shard !== last.shard) overlaps.push([last, each]);
      if (!last || each.to > last.to) last = each;
    }
  }
  return overlaps;
}

/**
 * Returns the writes of a child at a version at which its owner belonged to another shard. Versions order the changes
 * of both kinds, independently of clocks and of delayed watches. The Go shard has no log: it creates its children with
 * the labels of their owner, as its cache knows them.
 */
export function findForeignWrites(writes, { owners, children }) {
  const go = [...children].flatMap(([object, entries]) =>
    entries
      .filter(({ type, writer }) => type === "ADDED" && writer === "go")
      .map(({ shard, version }) => ({ shard, object, version })),
  );
  const ownerAt = (object, version) => owners.get(object)?.findLast((entry) => entry.version < version);
  const foreign = [...writes, ...go].filter(({ shard, object, version }) => {
    const owner = ownerAt(object, version);
    return owner && !owner.deleted && owner.shard !== shard;
  });
  return { foreign, goWrites: go.length };
}

/**
 * Returns how long, in seconds, each object of a shard that has ended was left alone: until it is assigned to another
 * shard, and until another process begins to reconcile it; the Go shard has no log, so that its assignment counts. An
 * object that a later event hits before that belongs to the later one.
 */
export function timesAlone({ at, name, log }, groups, owners, later) {
  const times = [];
  for (const [object, history] of owners) {
    const ownerAt = (time) => history.findLast((entry) => entry.at <= time);
    const before = ownerAt(at);
    if (before?.deleted !== false || before.shard !== name) continue;
    const assigned = history.find((entry) => entry.at > at && entry.shard && entry.shard !== name);
    const begun = groups.get(object)?.find((each) => each.from > at && each.log !== log)?.from ?? Infinity;
    const go = history.find((entry) => entry.at > at && entry.shard?.startsWith("go-"))?.at ?? Infinity;
    const served = Math.min(go, begun);
    const again = later.some((event) => event.at < served && ownerAt(event.at)?.shard === event.name);
    if (again) continue;
    times.push({ assigned: (Math.min(assigned?.at ?? Infinity, served) - at) / 1e6, served: (served - at) / 1e6 });
  }
  return times;
}

/** Returns the seconds between the label that asks a shard to let an object go and its assignment to the next one. */
export function timesOfHandOver(owners) {
  const times = [];
  for (const history of owners.values()) {
    for (const [index, { drained, at, shard }] of history.entries()) {
      if (!drained || history[index - 1]?.drained) continue;
      const next = history.slice(index + 1).find((entry) => entry.shard && entry.shard !== shard);
      if (next) times.push((next.at - at) / 1e6);
    }
  }
  return times;
}

export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}
