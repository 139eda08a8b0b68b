import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { apiBreaks } from "../../check/oracles/judge-api.ts";
import { isCrd } from "../../client/manifests/install-crds.ts";
import { hideUnchanged } from "../copy/hide-secrets.ts";
import { wantedBy } from "../copy/wanted-resources.ts";
import { formatResource, type ClusterCopy, type CopyHeader } from "../copy/cluster-copy.ts";
import type { Rehearsal } from "../rehearsal/rehearse.ts";
import type { ChangedObject } from "../rehearsal/store-watch.ts";
import { effects, entryOf, type Comparison, type Effect, type Entry } from "./entry.ts";
import { groupEntries, type Group } from "./group-entries.ts";

/** What a new version would do to a cluster. */
export interface PlanReport extends Omit<CopyHeader, "resources"> {
  /** The number of objects that were copied. */
  readonly objects: number;
  readonly groups: readonly Group[];
  /** What does not work: errors, missing permissions, refused objects. */
  readonly failures: readonly Failure[];
  /** Changes of CRDs for which objects are refused, or lose fields. */
  readonly breaks: readonly string[];
  /** The webhooks of others, which were not called. */
  readonly uncalled: readonly string[];
  readonly notes: readonly string[];
  readonly counts: Readonly<Record<Effect | "pods", number>>;
}

export interface Failure {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface ReportSource {
  readonly copy: ClusterCopy;
  readonly uncalled: readonly string[];
  /** The manifests of the new version. */
  readonly manifests: readonly UnstructuredObject[];
  readonly rehearsal: Rehearsal;
  /** What the version that is deployed now does to the same copy. */
  readonly old?: Rehearsal | undefined;
}

const hiddenNote =
  "Secrets may change: the operator writes values that it makes of others, and the copy has stand-ins; --secrets keep compares them";

/** Errors that are as frequent as this repeat. */
const repeated = 3;

/** Compares a copy with what became of it. */
export function makeReport({ copy, uncalled, manifests, rehearsal, old }: ReportSource): PlanReport {
  const { objects: copied, resources, missing, hide: _hide, ...header } = copy;
  const crds = manifests.filter(isCrd);
  const definitions = copied.map(({ object }) => object).filter(isCrd);
  const custom = new Set(definitions.map(resourceOf));
  const entriesOf = ({ changed }: Rehearsal): Entry[] => compareChanges(changed, copy, (each) => custom.has(each));
  const all = entriesOf(rehearsal);
  const entries = old ? withoutNoise(all, entriesOf(old)) : all;
  const installed = definitions.filter(({ metadata }) => crds.some((crd) => crd.metadata.name === metadata.name));
  const count = (effect: Effect): number => entries.filter((entry) => entry.effect === effect).length;
  return {
    ...header,
    missing: [...missing, ...lackingIn(resources, manifests)],
    objects: copied.length,
    groups: groupEntries(entries, rehearsal.objects),
    failures: failuresOf(rehearsal),
    breaks: apiBreaks(installed, crds).map(({ sentence }) => sentence),
    uncalled,
    notes: [...notesOf(rehearsal), ...(count("may change") > 0 ? [hiddenNote] : [])],
    counts: {
      ...(Object.fromEntries(effects.map((effect) => [effect, count(effect)])) as Record<Effect, number>),
      pods: entries.reduce((sum, { pods }) => sum + pods, 0),
    },
  };
}

/** Returns what the changes of a copy do. */
export function compareChanges(
  changed: readonly ChangedObject[],
  { secrets, hide }: ClusterCopy,
  isCustom: Comparison["isCustom"],
): Entry[] {
  return changed.flatMap((change) => {
    const { id, before, after } = change;
    const isSecret = id.startsWith("/secrets ") && before && after;
    const settled = isSecret && hide ? { ...change, after: hideUnchanged(before, after, hide) } : change;
    return entryOf(settled, { isCustom, isHidden: secrets === "hash" }) ?? [];
  });
}

/** Reports whether the new version changes nothing, and nothing fails. */
export function isUnchanged({ groups, failures, breaks }: PlanReport): boolean {
  return groups.length === 0 && failures.length === 0 && breaks.length === 0;
}

function failuresOf({ record, refusedManifests, refusedObjects }: Rehearsal): Failure[] {
  const { breakdowns, errors, requests } = record;
  const forbidden = requests.filter(({ by, status }) => by === "operator" && status === 403);
  const repeating = errors.filter(({ count }) => count >= repeated);
  const failures: Failure[] = [
    { title: "the operator broke down", lines: breakdowns.map(({ how, lines }) => [`it ${how}`, ...lines].join("\n")) },
    { title: "the cluster refuses these manifests", lines: refusedManifests.map(lineOf) },
    { title: "the new version refuses objects of the cluster", lines: refusedObjects.map(lineOf) },
    {
      title: "the operator may not do this",
      lines: [...new Set(forbidden.map(({ message, signature }) => message ?? signature))],
    },
    {
      title: "the operator logs these errors again and again",
      lines: repeating.map(({ message, count }) => `${message} (${count} times)`),
    },
  ];
  return failures.filter(({ lines }) => lines.length > 0);
}

function lineOf({ object, reason }: { readonly object: string; readonly reason: string }): string {
  return `${object}: ${reason}`;
}

function notesOf({ isQuiet, record: { unsupported } }: Rehearsal): string[] {
  return [
    ...(isQuiet ? [] : ["the operator did not come to rest: it may do more than this; give it time with --timeout"]),
    ...unsupported.map((message) => `not done on the copy: ${message}`),
  ];
}

/** Names what the new version works with and an older copy does not have. */
function lackingIn(resources: readonly string[], manifests: readonly UnstructuredObject[]): string[] {
  const whole = wantedBy(manifests).filter(({ names, namespace }) => names.length === 0 && namespace === undefined);
  const names = whole.map(formatResource).filter((name) => !name.includes("*") && !resources.includes(name));
  return [...new Set(names)].map((name) => `${name}: take the copy again, with the manifests of this version`);
}

function resourceOf({ spec }: UnstructuredObject): string {
  const { group, names } = spec as { group: string; names: { plural: string } };
  return `${group}/${names.plural}`;
}

/** Fields in which an operator may write something else each time, such as when it has looked last. */
const reports = /^(status|metadata\.annotations)\./;

/** Leaves out what the version that is deployed now does to the copy as well. */
function withoutNoise(entries: readonly Entry[], old: readonly Entry[]): Entry[] {
  const known = new Map(old.map((entry) => [entry.id, entry]));
  return entries.flatMap((entry) => {
    const before = known.get(entry.id);
    if (!before) return [entry];
    const differences = entry.differences.filter(({ path, actual }) => {
      const same = before.differences.find((each) => each.path === path);
      return !same || (same.actual !== actual && !reports.test(path));
    });
    if (differences.length > 0) return [{ ...entry, differences }];
    const isSame = before.effect === entry.effect || entry.differences.length > 0;
    return isSame ? [] : [entry];
  });
}
