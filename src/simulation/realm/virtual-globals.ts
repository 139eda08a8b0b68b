import { createRequire, syncBuiltinESMExports } from "node:module";
import type * as crypto from "node:crypto";
import type { Scheduler, Task } from "./scheduler.ts";

const require = createRequire(import.meta.url);

/**
 * Replaces the time, the timers and the random numbers of this thread by those of a scheduler: of the globals, and of
 * Node's modules. Code that is loaded later cannot tell. `realm` has the globals of code in a realm of its own, as some
 * test runners give it. Returns a function that puts everything back.
 */
export function virtualizeGlobals(scheduler: Scheduler, realm: typeof globalThis = globalThis): () => void {
  const timers = virtualTimers(scheduler);
  const random = (): number => scheduler.current.random();
  const { webcrypto } = require("node:crypto") as typeof crypto;
  const hrtimes = { bigint: () => BigInt(Math.round(scheduler.now() * 1e6)) };
  // Garbage collection must not be seen.
  const registries = { WeakRef: StrongRef, FinalizationRegistry: NoRegistry };
  const undo = [
    ...[...new Set([globalThis, realm])].flatMap((each) => [
      replace(each, { ...timers, ...registries, Date: virtualDate(scheduler, each.Date) }),
      replace(each.Math, { random }),
    ]),
    replace(require("node:timers") as object, timers),
    replace(require("node:timers/promises") as object, virtualWaits(scheduler)),
    replace(performance, { now: () => scheduler.now() }),
    replace(process, {
      hrtime: Object.assign((since?: [number, number]) => hrtime(scheduler.now(), since), hrtimes),
    }),
    replace(require("node:crypto") as object, randomFunctions(random)),
    replace(webcrypto, { randomUUID: () => uuid(random), getRandomValues: (view: Bytes) => fill(view, random) }),
    replace(AbortSignal, { timeout: (ms: number) => timeoutSignal(scheduler, ms) }),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const back of undo) back();
    syncBuiltinESMExports();
  };
}

/** Replaces properties, which may be read-only. Returns a function that puts them back. */
function replace(target: object, values: object): () => void {
  const before = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const);
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else Reflect.deleteProperty(target, name);
    }
  };
}

function timeoutSignal(scheduler: Scheduler, ms: number): AbortSignal {
  const controller = new AbortController();
  const reason = new DOMException("The operation was aborted due to timeout", "TimeoutError");
  scheduler.keepAlive(
    scheduler.after(ms, () => controller.abort(reason)),
    false,
  );
  return controller.signal;
}

/** Returns a constructor of the same class: dates of before, and of afterwards, are instances of it. */
function virtualDate(scheduler: Scheduler, real: DateConstructor): DateConstructor {
  const now = (): number => scheduler.date();
  const virtual: DateConstructor = new Proxy(real, {
    construct: (target, args: unknown[], created) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, created === virtual ? target : created) as Date,
    // `Date()` without `new` returns a text.
    apply: () => new virtual().toString(),
    get: (target, name) => (name === "now" ? now : (Reflect.get(target, name) as unknown)),
  });
  return virtual;
}

/** What setTimeout, setInterval and setImmediate return. */
class VirtualTimer {
  private readonly scheduler: Scheduler;
  private readonly start: () => Task;
  private task: Task;
  private keepsAlive = true;

  constructor(scheduler: Scheduler, start: (timer: VirtualTimer) => Task) {
    this.scheduler = scheduler;
    this.start = () => start(this);
    this.task = this.start();
  }

  refresh(): this {
    this.scheduler.cancel(this.task);
    this.task = this.start();
    this.scheduler.keepAlive(this.task, this.keepsAlive);
    return this;
  }

  ref(): this {
    return this.keep(true);
  }

  unref(): this {
    return this.keep(false);
  }

  hasRef(): boolean {
    return this.keepsAlive;
  }

  close(): this {
    this.scheduler.cancel(this.task);
    return this;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  private keep(keeps: boolean): this {
    this.keepsAlive = keeps;
    this.scheduler.keepAlive(this.task, keeps);
    return this;
  }
}

type Callback = (...args: unknown[]) => void;

function virtualTimers(scheduler: Scheduler): object {
  const clear = (timer?: VirtualTimer): void => {
    if (timer instanceof VirtualTimer) timer.close();
  };
  return {
    setTimeout: (run: Callback, ms = 1, ...args: unknown[]) =>
      new VirtualTimer(scheduler, () => scheduler.after(ms, () => run(...args))),
    setInterval: (run: Callback, ms = 1, ...args: unknown[]) =>
      new VirtualTimer(scheduler, (timer) =>
        scheduler.after(ms, () => {
          timer.refresh();
          run(...args);
        }),
      ),
    setImmediate: (run: Callback, ...args: unknown[]) =>
      new VirtualTimer(scheduler, () => scheduler.immediately(() => run(...args))),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
}

interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}

/** The functions of `node:timers/promises`. */
function virtualWaits(scheduler: Scheduler): object {
  const wait = (start: (run: () => void) => Task, value: unknown, { signal, ref = true }: WaitOptions = {}) =>
    new Promise((resolve, reject) => {
      const aborted = (): void => {
        scheduler.cancel(task);
        reject(Object.assign(new Error("The operation was aborted", { cause: signal?.reason }), aborts));
      };
      const task = start(() => {
        signal?.removeEventListener("abort", aborted);
        resolve(value);
      });
      scheduler.keepAlive(task, ref);
      if (signal?.aborted) aborted();
      else signal?.addEventListener("abort", aborted, { once: true });
    });
  return {
    setTimeout: (ms = 1, value?: unknown, options?: WaitOptions) =>
      wait((run) => scheduler.after(ms, run), value, options),
    setImmediate: (value?: unknown, options?: WaitOptions) => wait((run) => scheduler.immediately(run), value, options),
    async *setInterval(ms = 1, value?: unknown, options?: WaitOptions) {
      for (;;) yield await wait((run) => scheduler.after(ms, run), value, options);
    },
  };
}

const aborts = { name: "AbortError", code: "ABORT_ERR" };

function hrtime(ms: number, [seconds, nanoseconds]: readonly [number, number] = [0, 0]): [number, number] {
  const all = Math.round(ms * 1e6) - (seconds * 1e9 + nanoseconds);
  return [Math.floor(all / 1e9), all % 1e9];
}

type Bytes = ArrayBufferView;

function fill<T extends Bytes>(view: T, random: () => number): T {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let index = 0; index < bytes.length; index++) bytes[index] = random() * 256;
  return view;
}

function uuid(random: () => number): string {
  const hex = Buffer.from(fill(new Uint8Array(16), random)).toString("hex");
  const variant = "89ab"[Math.floor(random() * 4)]!;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function randomFunctions(random: () => number): object {
  const bytes = (size: number): Buffer => fill(Buffer.alloc(size), random);
  const int = (low: number, high: number): number => low + Math.floor(random() * (high - low));
  return {
    randomUUID: () => uuid(random),
    randomFillSync: (view: Bytes) => fill(view, random),
    randomBytes: (size: number, done?: (error: null, bytes: Buffer) => void) =>
      done ? setImmediate(done, null, bytes(size)) : bytes(size),
    randomInt: (...[first, second, done]: [number, number?, ((error: null, value: number) => void)?]) => {
      const value = typeof second === "number" ? int(first, second) : int(0, first);
      const then = typeof second === "function" ? second : done;
      return then ? setImmediate(then, null, value) : value;
    },
  };
}

/** A reference that keeps its target. */
class StrongRef<T extends object> {
  private readonly target: T;

  constructor(target: T) {
    this.target = target;
  }

  deref(): T {
    return this.target;
  }
}

/** A registry that never calls back. */
class NoRegistry {
  register(): void {}
  unregister(): boolean {
    return false;
  }
}
