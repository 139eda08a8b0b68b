import { parseDuration } from "../../apimachinery/duration.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { diffValues, edited, formatPath, valueAt } from "./conversion.ts";
import type { Conversion, ConversionRule, Loss, ValueDifference } from "./conversion.ts";
import { convertEach, type Answer, type Convert } from "./convert-each.ts";
import { inShapeOf, isValid, type Version } from "./version.ts";

export interface Judging {
  readonly versions: readonly Version[];
  readonly convert: Convert;
  /** True for programs whose types do not distinguish a value that is empty or zero from one that is absent. */
  readonly isLenient: boolean;
}

/** Draws a change of an object as the other version shows it. */
export type DrawChange = (version: Version, shown: UnstructuredObject) => Conversion["change"];

/** An object on its way. */
interface Trip {
  readonly conversion: Conversion;
  readonly from: Version;
  readonly to: Version;
  readonly losses: Loss[];
  /** The object in the other version. */
  readonly shown: UnstructuredObject;
}

interface ChangedTrip extends Trip {
  readonly changed: UnstructuredObject;
}

/** Converts objects there and back, and returns what is wrong, for each conversion. */
export async function judgeConversions(
  wanted: readonly Conversion[],
  judging: Judging,
  drawChange: DrawChange = () => undefined,
): Promise<Loss[][]> {
  const judge = new Judge(judging);
  const trips = await judge.goThere(wanted);
  const shown = trips.filter(({ losses }) => losses.length === 0);
  await judge.comeBack(shown);
  const changing = shown.filter(({ losses, conversion }) => !conversion.mistake && losses.every(isLoss));
  await judge.change(
    changing.flatMap((trip) => {
      const change = trip.conversion.change ?? drawChange(trip.to, trip.shown);
      const changed = change && edited(trip.shown, change);
      const shaped = changed && inShapeOf(trip.to, changed);
      return shaped && isValid(trip.to, shaped)
        ? [{ ...trip, conversion: { ...trip.conversion, change }, changed: shaped }]
        : [];
    }),
  );
  return trips.map(({ losses }) => losses);
}

class Judge {
  private readonly judging: Judging;

  constructor(judging: Judging) {
    this.judging = judging;
  }

  async goThere(wanted: readonly Conversion[]): Promise<Trip[]> {
    const there = await this.convert(wanted);
    // In another order, so that what depends on the batch differs.
    const right = wanted.filter(({ mistake }) => !mistake);
    const repeated = (await this.convert(right.toReversed())).toReversed();
    const again = new Map(right.map((conversion, index) => [conversion, repeated[index]!]));
    return Promise.all(
      wanted.map(async (conversion, index) => {
        const { object, to: other } = conversion;
        const [from, to] = [this.version(object.apiVersion), this.version(other)];
        const trip = { conversion, from, to, losses: [], shown: object };
        const losses = await this.judgeAnswers(trip, there[index]!, again.get(conversion));
        const answer = there[index]!.object ?? object;
        // A server takes labels and annotations from the answer.
        const { labels: _labels, annotations: _annotations, ...kept } = object.metadata;
        const whole = { ...answer, metadata: { ...kept, ...answer.metadata } };
        return { ...trip, losses, shown: conversion.mistake ? whole : inShapeOf(to, whole) };
      }),
    );
  }

  /** Judges two answers to the same request. */
  private async judgeAnswers(trip: Trip, first: Answer, second = first): Promise<Loss[]> {
    const { conversion, from, to } = trip;
    const refusal = first.refusal ?? second.refusal;
    if (refusal !== undefined) return conversion.mistake ? [] : [refused(trip, from, refusal)];
    if (first.isMutated) return [{ rule: "mutated", conversion, version: from, about: "" }];
    const broken = metadataDifferences(conversion.object, first.object!, to);
    if (!first.batchRefusal && broken.length === 0 && equalJson(first.object, second.object)) return [];
    const [one, other] = [...(await this.convert([conversion])), ...(await this.convert([conversion]))];
    const varying = diffValues(one?.object, other?.object);
    if (varying.length > 0) return lossesOf("unstable", trip, to, varying);
    const isOfBatch = [first, second].some(({ object }) => !equalJson(object, one?.object));
    if (!isOfBatch && first.batchRefusal === undefined) return lossesOf("metadata", trip, from, broken);
    const [difference] = [...diffValues(one?.object, first.object), ...diffValues(one?.object, second.object)];
    return [{ rule: "batch", conversion, version: from, about: "", difference, message: first.batchRefusal }];
  }

  async comeBack(trips: readonly Trip[]): Promise<void> {
    const back = await this.convert(
      trips.map(({ shown, from, conversion }) => ({ object: shown, to: from.apiVersion, mistake: conversion.mistake })),
    );
    for (const [index, trip] of trips.entries()) {
      const { conversion, from, to, losses } = trip;
      const { object, refusal = "" } = back[index]!;
      const { mistake } = conversion;
      if (mistake) {
        const after = valueAt(object, mistake.path);
        const difference = { path: mistake.path, before: mistake.value, after };
        // In another form, it is still there.
        if (object && isEmpty(after)) losses.push(...lossesOf("invalid-accepted", trip, from, [difference]));
      } else if (!object) losses.push(refused(trip, to, refusal));
      else losses.push(...lossesOf("lost", trip, from, this.diff(from, conversion.object, object)));
    }
  }

  /** Converts objects that were changed in the other version back, and there once more. */
  async change(trips: readonly ChangedTrip[]): Promise<void> {
    const home = (objects: readonly UnstructuredObject[]): Promise<Answer[]> =>
      this.convert(objects.map((object, index) => ({ object, to: trips[index]!.from.apiVersion })));
    const back = await home(trips.map(({ changed }) => changed));
    // What the change leads to if the object has not come from elsewhere.
    const plain = await home(trips.map((trip) => withoutHistory(trip, trip.shown)));
    const plainChanged = await home(trips.map((trip) => withoutHistory(trip, trip.changed)));
    const returned = trips.map(({ from, to }, index) => ({
      object: inShapeOf(from, back[index]!.object ?? trips[index]!.conversion.object),
      to: to.apiVersion,
    }));
    const there = await this.convert(returned);
    for (const [index, trip] of trips.entries()) {
      const { from, to, changed, losses } = trip;
      const [before, after] = [plain[index]!.object, plainChanged[index]!.object];
      // Without the annotations of earlier conversions, it is not refused.
      const { refusal } = back[index]!;
      if (refusal !== undefined && after) losses.push(refused(trip, to, refusal));
      if (!back[index]!.object || !there[index]!.object || !before || !after) continue;
      const { object } = returned[index]!;
      const effect = this.diff(from, inShapeOf(from, before), after).map(({ path }) => path);
      const ignored = this.diff(from, inShapeOf(from, after), object).filter(
        (miss) => miss.before !== undefined && effect.includes(miss.path),
      );
      const found = [
        ...lossesOf("change-lost", trip, to, this.diff(to, changed, there[index]!.object)),
        ...lossesOf("change-ignored", trip, from, ignored),
      ];
      losses.push(...(found.length > 0 ? found : await this.forgotten(trip, object, effect)));
    }
  }

  /** Finds a field that the other version does not have, and that a change of another field has removed. */
  private async forgotten(trip: Trip, returned: UnstructuredObject, effect: readonly string[]): Promise<Loss[]> {
    const { conversion, from, to, shown } = trip;
    for (const difference of this.diff(from, conversion.object, returned)) {
      const { path, after } = difference;
      if (after !== undefined || effect.includes(path) || path.startsWith("/metadata") || /\/\d+(\/|$)/.test(path))
        continue;
      const without = edited(conversion.object, { op: "remove", path });
      if (!without || !isValid(from, without)) continue;
      const [answer] = await this.convert([{ object: without, to: to.apiVersion }]);
      const shows = answer?.object && this.diff(to, shown, answer.object);
      if (shows?.every((each) => each.path.startsWith("/metadata")))
        return lossesOf("not-kept", trip, from, [difference]);
    }
    return [];
  }

  private convert(wanted: readonly Omit<Conversion, "change">[]): Promise<Answer[]> {
    return convertEach(this.judging.convert, wanted);
  }

  private version(name: string | undefined): Version {
    return this.judging.versions.find(({ apiVersion }) => apiVersion === name)!;
  }

  /** Lists what differs in the shape of a version, but for what is added to labels and annotations. */
  private diff(version: Version, before: UnstructuredObject, after: UnstructuredObject): ValueDifference[] {
    const [one, other] = [before, inShapeOf(version, after)].map(({ metadata: _metadata, ...fields }) =>
      this.judging.isLenient ? (withoutEmpty(fields) ?? {}) : fields,
    );
    return [...diffValues(one, other), ...textDifferences(before, after)];
  }
}

function isLoss({ rule }: Loss): boolean {
  return rule === "lost";
}

function refused({ conversion }: Trip, version: Version, message: string): Loss {
  // What follows a colon is about the value.
  const about = (message.split(":")[0] ?? "").replace(/"[^"]*"|\d+/g, "…");
  return { rule: "refused", conversion, version, about, message };
}

function lossesOf(
  rule: ConversionRule,
  { conversion }: Trip,
  version: Version,
  found: readonly ValueDifference[],
): Loss[] {
  return found.map((difference) => {
    return { rule, conversion, version, about: formatPath(difference.path, version.schema), difference };
  });
}

/** Returns an object without what conversions have added to its metadata. */
function withoutHistory({ conversion }: Trip, object: UnstructuredObject): UnstructuredObject {
  return { ...object, metadata: conversion.object.metadata };
}

/** Lists the metadata that an answer has not kept: all but labels and annotations, to which it may add. */
function metadataDifferences(given: UnstructuredObject, answer: UnstructuredObject, to: Version): ValueDifference[] {
  const restOf = ({ metadata }: UnstructuredObject): object => {
    const { labels: _labels, annotations: _annotations, ...rest } = metadata;
    return withoutEmpty(rest) ?? {};
  };
  const type = { apiVersion: answer.apiVersion, kind: answer.kind };
  return [
    ...diffValues({ apiVersion: to.apiVersion, kind: to.kind }, type),
    ...diffValues(restOf(given), restOf(answer), "/metadata"),
    ...textDifferences(given, answer),
  ];
}

/** The annotation of drawn objects; a conversion may remove others, which another one has added. */
export const keptAnnotation = "example.com/annotation";

/** Lists the labels and the annotation that are not kept. */
function textDifferences(given: UnstructuredObject, answer: UnstructuredObject): ValueDifference[] {
  const [before, after] = [given, answer].map(({ metadata: { labels = {}, annotations = {} } }) => {
    const { [keptAnnotation]: kept } = annotations;
    return { labels, annotations: kept === undefined ? {} : { [keptAnnotation]: kept } };
  });
  return diffValues(before, after, "/metadata").filter((difference) => difference.before !== undefined);
}

function isEmpty(value: unknown): boolean {
  return !value || (typeof value === "object" && Object.keys(value).length === 0);
}

/** Returns a duration as a number: programs write it in another form. */
function normalize(value: unknown): unknown {
  return (typeof value === "string" && /^\d.*[hms]$/.test(value) && parseDuration(value)?.toString()) || value;
}

/** Returns a value without the fields that are zero or empty, and with equal texts for equal durations; `undefined` if nothing is left. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0)
    return value.map((item: unknown) => withoutEmpty(item) ?? (isObject(item) ? {} : item));
  if (!isObject(value)) return isEmpty(value) ? undefined : normalize(value);
  const fields = Object.entries(value).map(([name, field]) => [name, withoutEmpty(field)] as const);
  const left = fields.filter(([, field]) => field !== undefined);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}
