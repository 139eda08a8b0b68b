import { describe, expect, it } from "vitest";
import { ApiError, failure } from "../../../../src/apimachinery/status.ts";
import { zapLogger, type ZapOptions } from "../../../../src/runtime/log/zap-logger.ts";
import { seededRandom } from "../../../../src/sandbox/seeded-random.ts";

const marker = "s3cr3t-M4rk3r";
const encoders = ["json", "console", "readable"] as const;
type Random = () => number;

const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

/** Makes one of the forms in which a Secret comes to a program. */
function secret(random: Random): object {
  const applied = JSON.stringify({ kind: "Secret", data: { password: marker } });
  const annotations = { "kubectl.kubernetes.io/last-applied-configuration": applied };
  const metadata = pick<object>(random, [
    { name: "db", namespace: "prod", annotations },
    { generateName: "db-", annotations },
    { annotations },
    {},
  ]);
  const typed = { apiVersion: "v1", kind: "Secret" };
  const body = pick<object>(random, [{ data: { password: marker } }, { stringData: { password: marker } }]);
  return pick<() => object>(random, [
    () => ({ ...typed, metadata, ...body }),
    () => ({ metadata, ...body }),
    () => ({ ...typed, ...body }),
    () => ({ ...typed, kind: "SecretList", metadata: {}, items: [{ metadata, ...body }, body] }),
    () => ({ metadata: {}, items: [{ metadata, ...body }] }),
    () => Object.freeze({ ...body, metadata, toJSON: () => body }),
    () => new Proxy({ ...typed, metadata, ...body }, { has: () => false }),
    () => Object.assign(Object.create({ metadata, ...typed }) as object, body),
    () => ({
      ...typed,
      metadata,
      ...body,
      size: 3n,
      get odd() {
        throw new Error(marker);
      },
    }),
    () => ({ note: "annotations alone", annotations }),
  ])();
}

const oddities: readonly (() => unknown)[] = [
  () => "text",
  () => 3,
  () => 2n ** 64n,
  () => Number.NaN,
  () => null,
  () => undefined,
  () => Symbol("s"),
  () => () => 0,
  () => new Date(0),
  () => new Date(Number.NaN),
  () => Object.create(null) as unknown,
  () => new Uint8Array(3),
  () => "x".repeat(70_000),
  () => Array.from({ length: 5_000 }, (_, index) => index),
  () => ({
    get broken() {
      throw new Error("odd");
    },
  }),
  () => ({
    toJSON() {
      throw new Error("odd");
    },
  }),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  () => {
    const round: Record<string, unknown> = {};
    return Object.assign(round, { round, again: [round] });
  },
];

class Holder {
  readonly held: unknown;
  constructor(held: unknown) {
    this.held = held;
  }
}

/** Hides values in a nest of everything that holds values. */
function nest(random: Random, depth: number): unknown {
  if (depth === 0) return random() < 0.5 ? secret(random) : pick(random, oddities)();
  const inner = (): unknown => nest(random, depth - 1);
  return pick<() => unknown>(random, [
    () => ({ first: inner(), second: inner() }),
    () => [inner(), inner()],
    () => new Map([["key", inner()]]),
    () => new Map([[inner(), inner()]]),
    () => new Set([inner()]),
    () => new Holder(inner()),
    () => ({ [Symbol("hidden")]: inner(), big: 1n }),
    () => ({ toJSON: inner }),
    () => ({
      get computed() {
        return inner();
      },
    }),
    () => new Proxy({ inner: inner() }, {}),
    () => error(random, inner()),
  ])();
}

function error(random: Random, held: unknown): Error {
  const status = failure("Invalid", "spec is wrong");
  return pick<() => Error>(random, [
    () => new Error("outer", { cause: held }),
    () => Object.assign(new Error("with fields"), { held, response: { body: held } }),
    () => Object.assign(new ApiError(status), { status: { ...status, details: held } }),
    () => new AggregateError([held, new Error("part", { cause: held })]),
    () => Object.assign(new Error("replaced"), { message: held, stack: held, name: held }),
    () => {
      const circle = new Error("circle");
      return Object.assign(circle, { cause: new Error("inner", { cause: circle }) });
    },
  ])();
}

/** Logs values in every way that a logger offers. */
function logEverywhere(options: ZapOptions, value: unknown, thrown: unknown): string[] {
  const lines: string[] = [];
  const fields = value as Readonly<Record<string, unknown>>;
  for (const level of ["debug", "info", "error", 5] as const) {
    const logger = zapLogger({ ...options, level, sampling: false, write: (line) => lines.push(line) });
    for (const each of [logger, logger.withName("sub").withValues({ value }), logger.withValues(fields)]) {
      each.info("info", { value, count: 1n });
      each.info("whole", fields);
      each.debug("debug", { value });
      each.v(5).info("verbose", { value, err: thrown });
      each.error(thrown, "failed", { value });
      each.error(value, "thrown");
    }
    logger.info(value as string);
  }
  return lines;
}

describe.each(encoders)("a logger with the encoder %s", (encoder) => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))("keeps Secrets out of its lines, seed %i", (seed) => {
    const random = seededRandom(seed);
    const value = nest(random, Math.floor(random() * 6));
    const lines = logEverywhere({ encoder }, value, error(random, value));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => line.includes(marker))).toEqual([]);
    if (encoder === "json") for (const line of lines) expect(JSON.parse(line)).toHaveProperty("msg");
  });
});
