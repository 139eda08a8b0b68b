import { EventEmitter } from "node:events";
import { createRequire, isBuiltin } from "node:module";
import { simulatedServers, type ServerRegistry } from "./simulated-servers.ts";

const require = createRequire(import.meta.url);

type Module = Readonly<Record<string | symbol, unknown>>;
type AnyFunction = (...args: unknown[]) => unknown;

export interface ModuleOptions {
  /** The process that the program sees. */
  readonly process: object;
  readonly servers: ServerRegistry;
  /** Called with the name of a function that cannot be simulated, right before it throws. */
  readonly onObstacle: (name: string) => void;
}

/** The functions of modules that reach beyond the simulation. */
const outside: Readonly<Record<string, readonly string[]>> = {
  http: ["request", "get"],
  https: ["request", "get"],
  http2: ["connect"],
  net: ["connect", "createConnection", "createServer", "Socket"],
  dns: ["lookup", "resolve", "resolve4", "resolve6", "resolveSrv", "resolveTxt", "reverse"],
  tls: ["connect", "createServer"],
  dgram: ["createSocket"],
  child_process: ["spawn", "exec", "execFile", "fork", "spawnSync", "execSync", "execFileSync"],
  worker_threads: ["Worker", "MessageChannel"],
  cluster: ["fork"],
};

/** Modules whose functions work in the background, and have twins that do not. */
const background = new Set(["fs", "fs/promises", "zlib", "crypto"]);

/** Functions of the file system that watch: files do not change during a run. */
const watchers = new Set(["watch", "watchFile", "unwatchFile"]);

/**
 * Returns the `require` of a program in a simulation: Node's modules without sockets, processes and threads, with servers that
 * only the simulation reaches, and with functions that end within the turn instead of working in the background.
 */
export function simulatedModules(options: ModuleOptions): (name: string) => unknown {
  const known = new Map<string, unknown>();
  const load = (name: string): unknown => {
    const path = name.replace(/^node:/, "");
    if (path === "process") return options.process;
    if (path === "module") return { ...(require("node:module") as object), createRequire: () => find };
    // A package that is not a part of the bundle, such as another client, has sockets of its own.
    if (!isBuiltin(name)) return obstacle(name, options)();
    const servers = simulatedServers(path, options.servers);
    const blocked = outside[path];
    if (!servers && !blocked && !background.has(path)) return require(name);
    const real = require(name) as Module;
    const obstacles = Object.fromEntries((blocked ?? []).map((each) => [each, obstacle(`${path}.${each}`, options)]));
    return overlay(background.has(path) ? inTheForeground(path, real) : real, { ...obstacles, ...servers });
  };
  const find = (name: string): unknown => {
    if (!known.has(name)) known.set(name, load(name));
    return known.get(name);
  };
  return find;
}

/** Returns a function that cannot be simulated. */
export function obstacle(name: string, { onObstacle }: Pick<ModuleOptions, "onObstacle">): AnyFunction {
  // A function, since some of them are called with `new`.
  return function fail() {
    onObstacle(name);
    throw new Error(`${name} does not work in a simulation (tsop check --engine processes)`);
  };
}

function overlay(module: Module, changes: Module): Module {
  return new Proxy(module, {
    get: (target, name) => (Object.hasOwn(changes, name) ? changes[name] : target[name]),
  });
}

/** Replaces functions by those that end in the same turn; callbacks and promises follow in the next one. */
function inTheForeground(path: string, module: Module): Module {
  const isOfPromises = path === "fs/promises";
  const twins = isOfPromises ? (require("node:fs") as Module) : module;
  return new Proxy(module, {
    get(target, name) {
      const value = target[name];
      if (typeof value !== "function" || typeof name !== "string") {
        return path === "fs" && name === "promises" ? inTheForeground("fs/promises", value as Module) : value;
      }
      if (path === "fs" && watchers.has(name))
        return () => Object.assign(new EventEmitter(), { close() {}, unref() {} });
      const twin = twins[`${name}Sync`];
      // The twin of `open` returns a number, and not a FileHandle.
      if (typeof twin !== "function" || (isOfPromises && name === "open")) return value;
      return isOfPromises ? promised(twin as AnyFunction) : calledBack(twin as AnyFunction, value as AnyFunction);
    },
  });
}

function promised(twin: AnyFunction): AnyFunction {
  return async (...args) => {
    await new Promise((resolve) => setImmediate(resolve));
    return twin(...args);
  };
}

function calledBack(twin: AnyFunction, real: AnyFunction): AnyFunction {
  return (...args) => {
    const done = args.at(-1);
    if (typeof done !== "function") return real(...args);
    setImmediate(() => {
      let answer: unknown;
      try {
        answer = twin(...args.slice(0, -1));
      } catch (error) {
        return void (done as AnyFunction)(error);
      }
      (done as AnyFunction)(null, answer);
    });
    return undefined;
  };
}
