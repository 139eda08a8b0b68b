import { groupBy } from "../../apimachinery/group-by.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { seededRandom } from "../../sandbox/seeded-random.ts";
import { causeOfLoss, edited, type Conversion, type ConversionRule, type Loss } from "./conversion.ts";
import { convertEach } from "./convert-each.ts";
import { ObjectDrawer } from "./draw-object.ts";
import { ValueDrawer } from "./draw-value.ts";
import { judgeConversions, type Judging } from "./judge-conversions.ts";
import { shrinkLoss, type Accepts } from "./shrink-loss.ts";
import { inShapeOf, prepareVersions, type Version } from "./version.ts";

export interface ConversionOptions {
  /** The versions, of which the first is the hub. */
  readonly judging: Judging;
  /** Objects of any of the versions, of which others are made. */
  readonly samples: readonly UnstructuredObject[];
  readonly seed: number;
  /** The number of objects to draw. */
  readonly count: number;
  /** These conversions, instead of drawn ones. */
  readonly cases?: readonly Conversion[] | undefined;
  readonly accepts?: Accepts | undefined;
  readonly isOver?: () => boolean;
}

export interface ConversionResult {
  /** One for each cause, with the smallest object that shows it. */
  readonly losses: readonly Loss[];
  /** The number of objects that were converted. */
  readonly objects: number;
}

/** The objects that are drawn before their answers are looked at. */
const roundSize = 200;
/** After as many causes, more would hide them. */
const mostCauses = 20;
/** The objects with one cause that are offered to the server until it takes one. */
const mostOffered = 10;

/** Draws objects of all versions, converts them to others and back, and returns what is lost. */
export async function checkConversions(options: ConversionOptions): Promise<ConversionResult> {
  const { count, cases, judging, isOver = () => false } = options;
  await prepareVersions(judging.versions);
  if (cases) return { losses: (await judgeConversions(cases, judging)).flat(), objects: cases.length };
  const search = new ConversionSearch(options);
  await search.begin();
  while (search.objects < count && search.found.size < mostCauses && !isOver())
    if (!(await search.tryObjects(Math.min(roundSize, count - search.objects)))) break;
  return { losses: [...search.found.values()], objects: search.objects };
}

class ConversionSearch {
  objects = 0;
  readonly found = new Map<string, Loss>();
  private readonly options: ConversionOptions;
  private readonly drawer: ObjectDrawer;
  private readonly directions: readonly (readonly [from: Version, to: Version])[];
  private readonly refused = new Set<string>();

  constructor(options: ConversionOptions) {
    const { judging, samples, seed } = options;
    const [hub, ...spokes] = judging.versions;
    this.options = options;
    this.drawer = new ObjectDrawer(new ValueDrawer(seededRandom(seed), samples));
    this.directions = spokes.flatMap((spoke) => [[spoke, hub!] as const, [hub!, spoke] as const]);
  }

  /** Keeps the samples in the versions that they can be converted to. */
  async begin(): Promise<void> {
    const { samples, judging } = this.options;
    for (const object of samples)
      if (judging.versions.some(({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind))
        for (const version of judging.versions) {
          const isOwn = version.apiVersion === object.apiVersion;
          const wanted = [{ object, to: version.apiVersion }];
          const [answer] = isOwn ? wanted : await convertEach(judging.convert, wanted);
          if (answer?.object) this.drawer.keep(version, answer.object);
        }
  }

  /** Draws objects and judges their conversions; returns false if no object can be drawn. */
  async tryObjects(count: number): Promise<boolean> {
    const drawn = Array.from({ length: count }, (_, index) => this.draw(index)).filter((each) => each !== undefined);
    this.objects += drawn.length;
    const { judging } = this.options;
    const judged = await judgeConversions(drawn, judging, (...shown) => this.drawer.drawValidChange(...shown));
    drawn.forEach(({ object, mistake }, index) => {
      const isRefused = judged[index]!.some(({ rule }) => rule === "refused");
      const version = judging.versions.find(({ apiVersion }) => apiVersion === object.apiVersion)!;
      if (!mistake && !isRefused) this.drawer.keep(version, object);
    });
    const sorted = judged.flat().toSorted((a, b) => later.indexOf(a.rule) - later.indexOf(b.rule));
    for (const [cause, same] of groupBy(sorted, causeOfLoss)) await this.learn(cause, same);
    return drawn.length > 0;
  }

  private draw(index: number): Conversion | undefined {
    const [from, to] = this.directions[index % this.directions.length]!;
    const object = this.drawer.draw(from);
    if (!object) return undefined;
    const conversion = { object, to: to.apiVersion };
    const mistake = index % mistakeEvery < this.directions.length ? this.drawer.drawMistake(from, object) : undefined;
    return mistake ? { ...conversion, object: edited(object, mistake)!, mistake } : conversion;
  }

  private async learn(cause: string, same: readonly Loss[]): Promise<void> {
    if ([cause, ...causesAround(same[0]!)].some((known) => this.found.has(known) || this.refused.has(known))) return;
    const { judging, accepts = async () => true } = this.options;
    for (const loss of same.slice(0, mostOffered)) {
      const isAccepted: Accepts = loss.conversion.mistake ? async () => true : accepts;
      if (this.found.size >= mostCauses || !(await isAccepted(loss.conversion.object))) continue;
      const simpler = await this.withoutHistory(loss);
      const shown = loss.rule === "batch" ? loss : await shrinkLoss(simpler ?? loss, judging, isAccepted);
      this.found.set(cause, shown);
      return;
    }
    this.refused.add(cause);
  }

  /** Returns the loss of an object that is written as a change has left it, if that shows it as well. */
  private async withoutHistory(loss: Loss): Promise<Loss | undefined> {
    const { judging } = this.options;
    const { object, to, change } = loss.conversion;
    const [answer] = change ? await convertEach(judging.convert, [loss.conversion]) : [];
    const version = judging.versions.find(({ apiVersion }) => apiVersion === to)!;
    const changed = answer?.object && edited(inShapeOf(version, answer.object), change!);
    if (!changed) return undefined;
    const fresh = { ...inShapeOf(version, changed), metadata: object.metadata };
    const [found] = await judgeConversions([{ object: fresh, to: object.apiVersion ?? "" }], judging);
    return found!.find((each) => causeOfLoss(each) === causeOfLoss(loss));
  }
}

/** The number of objects of which one has a mistake. */
const mistakeEvery = 40;

/** The rules in the order in which others explain them: what a plain conversion of a valid object shows comes first. */
const later: readonly ConversionRule[] = ["lost", "change-lost", "change-ignored", "not-kept", "invalid-accepted"];

/** Returns the causes that explain a loss: a plain conversion loses the field, or one around it. */
function causesAround({ rule, version, about }: Loss): string[] {
  if (rule !== "not-kept" && rule !== "invalid-accepted") return [];
  const ends = [...about.matchAll(/[.[]|$/g)].map(({ index }) => about.slice(0, index));
  return ends.map((around) => causeOfLoss({ rule: "lost", version, about: around }));
}
