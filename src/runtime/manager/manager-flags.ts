import { TsopError } from "../../errors/tsop-error.ts";
import type { TimeEncoding } from "../log/zap-encoders.ts";
import { zapLogger, type ZapOptions } from "../log/zap-logger.ts";
import type { ManagerOptions } from "./manager.ts";

/** A flag of the command line. Its default determines the type of its values. */
export interface Flag {
  readonly default: string | number | boolean;
  readonly help: string;
}

/** Flags by their names. */
export type Flags = Readonly<Record<string, Flag>>;

/** The parsed flags of a manager, and the operator's own. */
export interface ManagerFlags<Own extends Flags = Flags> {
  /** For `loadConfig`. */
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** For `createManager`; the program itself sets the id of its leader election. */
  readonly managerOptions: {
    readonly [
      Name in
        | "logger"
        | "metrics"
        | "webhook"
        | "healthProbeBindAddress"
        | "pprofBindAddress"
        | "leaderElection"
        | "sharding"
    ]: NonNullable<ManagerOptions[Name]>;
  };
  /** The values of the operator's own flags. */
  readonly own: {
    readonly [Name in keyof Own]: Own[Name]["default"] extends boolean
      ? boolean
      : Own[Name]["default"] extends number
        ? number
        : string;
  };
}

const flags = {
  kubeconfig: { default: "", help: "Path of a kubeconfig; only needed outside a cluster." },
  context: { default: "", help: "The kubeconfig's context to use instead of the current one." },
  "metrics-bind-address": {
    default: "0",
    help: "Where to serve metrics: :8443 with --metrics-secure, :8080 without; 0 switches them off.",
  },
  "metrics-secure": { default: true, help: "Serve metrics over HTTPS with authentication." },
  "metrics-cert-path": { default: "", help: "Folder of the metrics server's certificate." },
  "metrics-cert-name": { default: "tls.crt", help: "File name of the metrics server's certificate." },
  "metrics-cert-key": { default: "tls.key", help: "File name of the metrics server's key." },
  "health-probe-bind-address": { default: ":8081", help: "Where to serve /healthz and /readyz." },
  "pprof-bind-address": {
    default: "0",
    help: "Where to serve heap snapshots and CPU profiles under /debug/pprof/; 0 switches them off.",
  },
  "leader-elect": { default: false, help: "Elect a leader, so that only one replica works at a time." },
  "sharding-ring": {
    default: "",
    help: "Name of the ControllerRing of which this replica is a shard: replicas share the objects.",
  },
  "sharding-shard": {
    default: "",
    help: "Name of this shard; by default the host's, which in a cluster is the pod's.",
  },
  "webhook-cert-path": { default: "", help: "Folder of the webhook server's certificate." },
  "webhook-cert-name": { default: "tls.crt", help: "File name of the webhook server's certificate." },
  "webhook-cert-key": { default: "tls.key", help: "File name of the webhook server's key." },
  "webhook-port": { default: "9443", help: "Port of the webhook server; -1 serves no webhooks." },
  "webhook-service": {
    default: "",
    help: "Name of the webhooks' Service: without a certificate in a folder, the operator makes its own for it.",
  },
  "enable-http2": { default: false, help: "Offer HTTP/2 on the metrics and webhook servers." },
  "zap-devel": { default: false, help: "Console lines at debug level, instead of JSON at info level." },
  "zap-encoder": { default: "", help: "json or console; on a terminal, the default is a form for reading." },
  "zap-log-level": { default: "", help: "debug, info, error, panic, or a verbosity above 0." },
  "zap-stacktrace-level": { default: "", help: "From which level on lines have a stack trace: info, error or panic." },
  "zap-time-encoding": { default: "", help: "epoch, millis, nanos, iso8601, rfc3339 or rfc3339nano." },
} as const satisfies Flags;

type FlagName = keyof typeof flags;

/**
 * Parses a manager's command line, usually `process.argv.slice(2)`. Flags are written as in Go: `--name=value`, `--name
 * value`, `--switch`, `--switch=false`, with one or two dashes. Throws a TsopError for unknown flags and for `--help`;
 * `exitWithError` prints both. `own` are flags of the operator itself; one with the name of a manager's flag gives that
 * flag another default.
 *
 * @example
 * const flags = parseManagerFlags(process.argv.slice(2), { poll: { default: "10m", help: "How often to look." } });
 * const manager = await createManager(await loadConfig(flags), flags.managerOptions);
 * const pollMs = durationToMs(flags.own.poll);
 */
export function parseManagerFlags<Own extends Flags>(argv: readonly string[], own?: Own): ManagerFlags<Own> {
  const known: Flags = { ...flags, ...own };
  const values = parse(argv, known);
  const text = (name: FlagName): string => String(values[name]);
  const on = (name: FlagName): boolean => values[name] === true;
  return {
    own: Object.fromEntries(Object.keys(own ?? {}).map((name) => [name, values[name]])) as ManagerFlags<Own>["own"],
    kubeconfig: text("kubeconfig") || undefined,
    context: text("context") || undefined,
    managerOptions: {
      healthProbeBindAddress: text("health-probe-bind-address"),
      pprofBindAddress: text("pprof-bind-address"),
      metrics: {
        bindAddress: text("metrics-bind-address"),
        secure: on("metrics-secure"),
        certDir: text("metrics-cert-path") || undefined,
        certName: text("metrics-cert-name"),
        keyName: text("metrics-cert-key"),
        http2: on("enable-http2"),
      },
      leaderElection: { enabled: on("leader-elect") },
      sharding: { ring: text("sharding-ring") || undefined, shard: text("sharding-shard") || undefined },
      webhook: {
        port: portNumber("webhook-port", text("webhook-port")),
        certDir: text("webhook-cert-path") || undefined,
        certName: text("webhook-cert-name"),
        keyName: text("webhook-cert-key"),
        service: text("webhook-service") || undefined,
        http2: on("enable-http2"),
      },
      logger: zapLogger({
        development: on("zap-devel"),
        encoder: choice("zap-encoder", text("zap-encoder"), ["json", "console"]),
        level: logLevel(text("zap-log-level")),
        stacktraceLevel: choice("zap-stacktrace-level", text("zap-stacktrace-level"), stacktraceLevels),
        timeEncoding: choice("zap-time-encoding", text("zap-time-encoding"), timeEncodings),
      }),
    },
  };
}

const logLevels = ["debug", "info", "error", "panic"] as const;
const stacktraceLevels = ["info", "warn", "error", "panic"] as const;
const timeEncodings: readonly TimeEncoding[] = ["epoch", "millis", "nanos", "iso8601", "rfc3339", "rfc3339nano"];

function parse(argv: readonly string[], known: Flags): Record<string, Flag["default"]> {
  const values = Object.fromEntries(Object.entries(known).map(([name, flag]) => [name, flag.default]));
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index]!;
    const match = /^--?([^-=][^=]*)(?:=([\s\S]*))?$/.exec(argument);
    const name = match?.[1] ?? argument;
    if (name === "help" || name === "h") throw new TsopError("TSOP_FLAGS_HELP", { usage: usage(known) });
    if (!match || !Object.hasOwn(known, name)) throw invalid(name.replace(/^-+/, ""), "unknown flag");
    const given = match[2];
    const type = typeof known[name]!.default;
    if (type === "boolean") values[name] = switchValue(name, given);
    else {
      const value = given ?? argv[++index] ?? missing(name);
      values[name] = type === "number" ? numberValue(name, value) : value;
    }
  }
  return values;
}

function switchValue(name: string, text: string | undefined): boolean {
  if (text === undefined || /^(1|t|true)$/i.test(text)) return true;
  if (/^(0|f|false)$/i.test(text)) return false;
  throw invalid(name, `"${text}" is neither true nor false`);
}

function numberValue(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw invalid(name, `"${text}" is not a number`);
  return value;
}

function missing(name: string): never {
  throw invalid(name, "it needs a value");
}

function portNumber(name: string, text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < -1 || port > 65_535) throw invalid(name, `"${text}" is not a port`);
  return port;
}

function choice<Value extends string>(flag: FlagName, text: string, known: readonly Value[]): Value | undefined {
  if (!text) return undefined;
  const value = known.find((each) => each === text.toLowerCase());
  if (value === undefined) throw invalid(flag, `"${text}" is not one of ${known.join(", ")}`);
  return value;
}

function logLevel(text: string): ZapOptions["level"] {
  if (!/^\d+$/.test(text)) return choice("zap-log-level", text, logLevels);
  if (Number(text) === 0) throw invalid("zap-log-level", "a verbosity is above 0");
  return Number(text);
}

function invalid(flag: string, reason: string): TsopError {
  return new TsopError("TSOP_FLAG_INVALID", { flag, reason });
}

function usage(known: Flags): string {
  const entries = Object.entries(known);
  const ofManager = linesOf(entries.filter(([name]) => Object.hasOwn(flags, name)));
  const own = linesOf(entries.filter(([name]) => !Object.hasOwn(flags, name)));
  return `${own && `flags of the operator:\n${own}\n\n`}flags of the manager:\n${ofManager}`;
}

function linesOf(entries: readonly (readonly [name: string, flag: Flag])[]): string {
  const lines = entries.map(([name, { help, default: value }]) => {
    const fallback = value === "" || value === false ? "" : ` (default ${value})`;
    return `  --${name}\n        ${help}${fallback}`;
  });
  return lines.join("\n");
}
