import { withoutComment } from "../../apimachinery/tags.ts";
import type { CommentBlock, CommentLine } from "./comments.ts";
import type { Report } from "../report.ts";
import type { SourceFile } from "./source-file.ts";
import { parseArgument } from "../markers/argument.ts";
import type { Marker, MarkerTarget } from "../markers/marker.ts";
import { findMarker, isOurs, misspelledFamily, nearestName, targetsOf, type FoundMarker } from "../markers/registry.ts";
import { otherTags } from "../markers/tags.ts";
import { MarkerSyntaxError } from "../markers/scanner.ts";

/** A marker read from a comment. */
export interface ParsedMarker {
  readonly marker: Marker;
  readonly items: boolean;
  readonly value: unknown;
  readonly file: SourceFile;
  readonly offset: number;
}

export interface FileMarkers {
  /** Markers of the folder, wherever they are in the file. */
  readonly package: readonly ParsedMarker[];
  /** Markers of types and fields by the start of the declaration. */
  readonly byDeclaration: ReadonlyMap<number, readonly ParsedMarker[]>;
}

/** Returns the values of a marker, in source order. */
export function valuesOf<V>(markers: readonly ParsedMarker[], marker: Marker<V>): V[] {
  return markers.filter((parsed) => parsed.marker === marker).map((parsed) => parsed.value as V);
}

/** Parses all markers of a file. `targets` maps offsets to declarations. */
export function parseMarkers(
  file: SourceFile,
  targets: ReadonlyMap<number, "type" | "field">,
  report: Report,
): FileMarkers {
  const ofPackage: ParsedMarker[] = [];
  const byDeclaration = new Map<number, ParsedMarker[]>();
  for (const [token, blocks] of file.comments) {
    const declared = targets.get(token);
    for (const block of blocks) {
      for (const line of block.lines) {
        const source = markerText(line);
        if (!source) continue;
        const target = targetOf(source, block, declared);
        const parsed = parseMarker({ ...source, file, target, where: whereIs(block, declared) }, report);
        if (!parsed) continue;
        if (target === "package") ofPackage.push(parsed);
        else byDeclaration.set(token, [...(byDeclaration.get(token) ?? []), parsed]);
      }
    }
  }
  ofPackage.sort((a, b) => a.offset - b.offset);
  return { package: ofPackage, byDeclaration };
}

/**
 * Reports whether a line is a marker: a plus and a letter. A plus and a blank is a list item, unless the name of a marker
 * follows.
 */
export function isMarkerLine(text: string): boolean {
  if (/^\s*\+[A-Za-z]/.test(text)) return true;
  const [, name] = /^\s*\+(\s+[\w-]+\s*:[^\s=]+)/.exec(text) ?? [];
  return name !== undefined && misspelledFamily(name) !== undefined;
}

interface MarkerSource {
  readonly left: string;
  readonly argument: string | undefined;
  readonly offset: number;
  readonly argumentOffset: number;
  /** True if the marker applies to the elements of a list, or to the values of a map. */
  readonly items?: boolean;
}

function markerText(line: CommentLine): MarkerSource | undefined {
  if (!isMarkerLine(line.text)) return undefined;
  const plus = line.text.indexOf("+");
  const text = line.text.startsWith("k8s:", plus + 1) ? withoutComment(line.text) : line.text;
  const equals = text.indexOf("=", plus);
  const left = text.slice(plus + 1, equals < 0 ? undefined : equals).trimEnd();
  const argument = equals < 0 ? undefined : text.slice(equals + 1);
  const source = { left, argument, offset: line.offset + plus, argumentOffset: line.offset + equals + 1 };
  return left.startsWith("k8s:") ? tagSource(source) : source;
}

/** Reads a tag of Kubernetes: arguments in parentheses, tags in stages of their life, and tags of elements. */
function tagSource(source: MarkerSource): MarkerSource {
  const [, name, inner] = /^(k8s:\w+)\s*\((.*)\)$/.exec(source.left) ?? [];
  const left = name ?? source.left;
  const [, nested = "", argument] = /^\s*\+(k8s:[^=]+?)(?:=(.*))?$/.exec(source.argument ?? "") ?? [];
  const isWrapper = left === "k8s:alpha" || left === "k8s:beta" || left === "k8s:eachVal";
  if (isWrapper && nested) {
    const offset = source.argumentOffset + (source.argument ?? "").indexOf("=") + 1;
    const of = tagSource({ left: nested, argument, offset: source.offset, argumentOffset: offset });
    return left === "k8s:eachVal" ? { ...of, items: true } : of;
  }
  return name ? { ...source, left, argument: source.argument ?? inner } : source;
}

/** Returns the declaration of a marker. A name that exists only for folders belongs to the folder. */
function targetOf(
  { left }: MarkerSource,
  block: CommentBlock,
  declared: "type" | "field" | undefined,
): MarkerTarget | undefined {
  const targets = targetsOf(left);
  const here = declared && !block.trailing && targets.includes(declared) ? declared : undefined;
  if (!targets.includes("package")) return here;
  return here && !block.leading && !block.detached ? here : "package";
}

function parseMarker(
  source: MarkerSource & { file: SourceFile; target: MarkerTarget | undefined; where: string },
  report: Report,
): ParsedMarker | undefined {
  const { left, argument, offset, file, target } = source;
  const found = target && findMarker(left, target);
  if (!found) return reportUnknown(source, report);
  try {
    const value = parseArgument(found.marker.argument, withFirstArgument(found, argument));
    return { marker: found.marker, items: found.items || source.items === true, value, file, offset };
  } catch (error) {
    if (!(error instanceof MarkerSyntaxError)) throw error;
    const shift = found.firstArgument ? found.firstArgument.length + 1 : 0;
    const at = argument === undefined ? offset : source.argumentOffset + Math.max(0, error.offset - shift);
    report.error({ file, offset: at }, "TSOP_MARKER_SYNTAX", {
      name: left,
      reason: error.message,
      advice: error.advice,
    });
    return undefined;
  }
}

function withFirstArgument({ firstArgument }: FoundMarker, argument: string | undefined): string | undefined {
  return firstArgument ? `${firstArgument}=${argument ?? ""}` : argument;
}

function whereIs({ trailing }: CommentBlock, declared: "type" | "field" | undefined): string {
  if (trailing) return "after code on the same line";
  return declared ? `on a ${declared}` : "here";
}

function reportUnknown(
  { left, offset, file, where }: MarkerSource & { file: SourceFile; where: string },
  report: Report,
): undefined {
  const targets = targetsOf(left);
  const place = { file, offset };
  if (targets.length > 0) {
    report.error(place, "TSOP_MARKER_MISPLACED", {
      name: left,
      place: where,
      targets: targets.map((target) => `a ${target}`).join(" or "),
    });
  } else if (isOurs(left)) {
    const nearest = nearestName(left);
    const advice = otherTags.get(left) ?? (nearest ? `did you mean +${nearest}?` : "see: tsop markers");
    report.error(place, "TSOP_MARKER_UNKNOWN", { name: left, advice });
  } else {
    const meant = misspelledFamily(left);
    if (meant) report.error(place, "TSOP_MARKER_UNKNOWN", { name: left, advice: `did you mean +${meant}?` });
  }
  return undefined;
}
