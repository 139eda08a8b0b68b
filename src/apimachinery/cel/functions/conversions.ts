import { CelError } from "../values/issue.ts";
import type { Run } from "../values/overload.ts";
import { lengthOf } from "../values/equal-values.ts";
import {
  CelDuration,
  CelTypeValue,
  typeNameOf,
  type CelTimestamp,
  type CelUint,
  type CelMap,
  type CelOpaque,
  type CelValue,
} from "../values/values.ts";
import { formatDouble } from "./format-text.ts";
import { int64, celTimestamp, uint64 } from "./operators.ts";
import { formatSeconds, formatTimestamp, parseDuration, parseTimestamp } from "./timestamps.ts";

/** The conversions that are evaluated in advance if the value is known. */
export const conversionNames: ReadonlySet<string> = new Set(
  "bool bytes double duration dyn int string timestamp type uint".split(" "),
);

/** Conversions between types, and `size`. */
export const conversions: Readonly<Record<string, Run>> = {
  "type(A): type<A>": (value: CelValue) => new CelTypeValue(typeNameOf(value)),
  "dyn(A): dyn": (value: CelValue) => value,

  "bool(bool): bool": (value: boolean) => value,
  "bool(string): bool": toBool,
  "int(int): int": (value: bigint) => value,
  "int(uint): int": (value: CelUint) => int64(value.value),
  "int(double): int": (value: number) => {
    if (!Number.isFinite(value)) throw new CelError("integer overflow");
    return int64(BigInt(Math.trunc(value)));
  },
  "int(string): int": (text: string) => int64(toInteger(text, "int", /^[-+]?\d+$/)),
  "int(timestamp): int": ({ nanos }: CelTimestamp) => floorSeconds(nanos),
  "int(duration): int": ({ nanos }: CelDuration) => nanos,
  "uint(uint): uint": (value: CelUint) => value,
  "uint(int): uint": uint64,
  "uint(double): uint": (value: number) => {
    if (!Number.isFinite(value)) throw new CelError("unsigned integer overflow");
    return uint64(BigInt(Math.trunc(value)));
  },
  "uint(string): uint": (text: string) => uint64(toInteger(text, "uint", /^\d+$/)),
  "double(double): double": (value: number) => value,
  "double(int): double": Number,
  "double(uint): double": (value: CelUint) => Number(value.value),
  "double(string): double": toDouble,
  "string(string): string": (value: string) => value,
  "string(bool): string": String,
  "string(int): string": String,
  "string(uint): string": (value: CelUint) => String(value.value),
  "string(double): string": formatDouble,
  "string(bytes): string": (value: Uint8Array) => {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(value);
    } catch {
      throw new CelError("invalid UTF-8 in bytes, cannot convert to string");
    }
  },
  "string(timestamp): string": formatTimestamp,
  "string(duration): string": formatSeconds,
  "string(net.IP): string": (value: CelOpaque) => value.key,
  "string(net.CIDR): string": (value: CelOpaque) => value.key,
  "bytes(bytes): bytes": (value: Uint8Array) => value,
  "bytes(string): bytes": (value: string) => new TextEncoder().encode(value),
  "timestamp(timestamp): timestamp": (value: CelTimestamp) => value,
  "timestamp(string): timestamp": parseTimestamp,
  "timestamp(int): timestamp": (seconds: bigint) => celTimestamp(seconds * 10n ** 9n),
  "duration(duration): duration": (value: CelDuration) => value,
  "duration(int): duration": (nanos: bigint) => new CelDuration(nanos),
  "duration(string): duration": parseDuration,

  ...sizes(),
};

function sizes(): Record<string, Run> {
  const runs: Record<string, Run> = {
    string: (value: string) => BigInt(lengthOf(value)),
    bytes: (value: Uint8Array) => BigInt(value.length),
    "list<A>": (value: readonly CelValue[]) => BigInt(value.length),
    "map<A, B>": (value: CelMap) => BigInt(value.size),
  };
  return Object.fromEntries(
    Object.entries(runs).flatMap(([type, run]) => [
      [`size(${type}): int`, run],
      [`${type} -> size(): int`, run],
    ]),
  );
}

function toBool(text: string): boolean {
  if (["1", "t", "T", "true", "TRUE", "True"].includes(text)) return true;
  if (["0", "f", "F", "false", "FALSE", "False"].includes(text)) return false;
  throw new CelError(`type conversion error from 'string' to 'bool'`);
}

function toInteger(text: string, type: string, pattern: RegExp): bigint {
  if (!pattern.test(text)) throw new CelError(`type conversion error from 'string' to '${type}'`);
  return BigInt(text.replace("+", ""));
}

const specialNumbers: Readonly<Record<string, number>> = { inf: Infinity, infinity: Infinity, nan: Number.NaN };

function toDouble(text: string): number {
  const special = specialNumbers[text.replace(/^[-+]/, "").toLowerCase()];
  if (special !== undefined) return text.startsWith("-") ? -special : special;
  if (/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text)) return Number(text);
  throw new CelError("type conversion error from 'string' to 'double'");
}

function floorSeconds(nanos: bigint): bigint {
  const seconds = nanos / 10n ** 9n;
  return nanos % 10n ** 9n < 0n ? seconds - 1n : seconds;
}
