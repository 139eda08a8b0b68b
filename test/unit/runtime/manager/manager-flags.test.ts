import { describe, expect, it } from "vitest";
import { parseManagerFlags } from "../../../../src/runtime/manager/manager-flags.ts";

describe("manager flags", () => {
  it("have the defaults of a Go project", () => {
    const { kubeconfig, managerOptions } = parseManagerFlags([]);
    expect(kubeconfig).toBeUndefined();
    expect(managerOptions).toMatchObject({
      metrics: { bindAddress: "0", secure: true },
      healthProbeBindAddress: ":8081",
      pprofBindAddress: "0",
      leaderElection: { enabled: false },
      webhook: { port: 9443, certName: "tls.crt", keyName: "tls.key" },
    });
    expect(managerOptions.logger.enabled).toBe(true);
    expect(managerOptions.logger.v(1).enabled).toBe(false);
  });

  it.each([
    [["--leader-elect", "--metrics-bind-address=:8443", "--metrics-secure=false"]],
    [["-leader-elect=true", "-metrics-bind-address", ":8443", "--metrics-secure=0"]],
  ])("are parsed as in Go: %j", (argv) => {
    expect(parseManagerFlags(argv).managerOptions).toMatchObject({
      leaderElection: { enabled: true },
      metrics: { bindAddress: ":8443", secure: false },
    });
  });

  it.each([
    [[], { ring: undefined, shard: undefined }],
    [["--sharding-ring=maps"], { ring: "maps", shard: undefined }],
    [["--sharding-ring", "maps", "--sharding-shard=a"], { ring: "maps", shard: "a" }],
  ])("name the ring and the shard: %j", (argv, sharding) => {
    expect(parseManagerFlags(argv).managerOptions.sharding).toEqual(sharding);
  });

  it("configure logging", () => {
    const { logger } = parseManagerFlags(["--zap-log-level=5", "--zap-encoder=console"]).managerOptions;
    expect([logger.v(5).enabled, logger.v(6).enabled]).toEqual([true, false]);
    expect(parseManagerFlags(["--zap-devel"]).managerOptions.logger.v(1).enabled).toBe(true);
  });

  it("set the path of the certificates", () => {
    const argv = ["--webhook-cert-path=/w", "--webhook-cert-key=k", "--metrics-cert-path=/m", "--webhook-port", "-1"];
    expect(parseManagerFlags(argv).managerOptions).toMatchObject({
      webhook: { port: -1, certDir: "/w", keyName: "k" },
      metrics: { certDir: "/m" },
    });
  });

  it.each([
    [["--nope"], "--nope: unknown flag"],
    [["stray"], "--stray: unknown flag"],
    [["--kubeconfig"], "--kubeconfig: it needs a value"],
    [["--leader-elect=maybe"], '--leader-elect: "maybe" is neither true nor false'],
    [["--webhook-port=http"], '--webhook-port: "http" is not a port'],
    [["--zap-encoder=xml"], '--zap-encoder: "xml" is not one of json, console'],
    [["--zap-log-level=0"], "--zap-log-level: a verbosity is above 0"],
    [["--zap-log-level=loud"], '--zap-log-level: "loud" is not one of debug, info, error, panic'],
  ])("reject %j", (argv, message) => {
    expect(() => parseManagerFlags(argv)).toThrow(message);
  });

  it("are listed by --help", () => {
    expect(() => parseManagerFlags(["--help"])).toThrow(/--leader-elect\n.*\n[\s\S]*--zap-time-encoding/);
  });

  describe("of the operator itself", () => {
    const own = {
      poll: { default: "10m", help: "How often to look." },
      "max-reconcile-rate": { default: 10, help: "Reconciles a second." },
      "enable-policies": { default: true, help: "Follow the policies." },
    };

    it("have their defaults, which decide their types", () => {
      const { poll, "max-reconcile-rate": rate, "enable-policies": policies } = parseManagerFlags([], own).own;
      const typed: [string, number, boolean] = [poll, rate, policies];
      expect(typed).toEqual(["10m", 10, true]);
    });

    it("are parsed along with those of the manager", () => {
      const argv = ["--poll=1m", "--leader-elect", "-max-reconcile-rate", "2.5", "--enable-policies=false"];
      const flags = parseManagerFlags(argv, own);
      expect(flags.own).toEqual({ poll: "1m", "max-reconcile-rate": 2.5, "enable-policies": false });
      expect(flags.managerOptions.leaderElection.enabled).toBe(true);
    });

    it("may change the default of a flag of the manager", () => {
      const changed = { "metrics-bind-address": { default: ":8383", help: "Where to serve metrics." } };
      expect(parseManagerFlags([], changed).managerOptions.metrics.bindAddress).toBe(":8383");
      expect(parseManagerFlags(["--metrics-bind-address=0"], changed).managerOptions.metrics.bindAddress).toBe("0");
      expect(() => parseManagerFlags(["--help"], changed)).toThrow(/^flags of the manager:[\s\S]*\(default :8383\)/);
    });

    it.each([
      [["--max-reconcile-rate=many"], '--max-reconcile-rate: "many" is not a number'],
      [["--max-reconcile-rate="], '--max-reconcile-rate: "" is not a number'],
      [["--poll"], "--poll: it needs a value"],
      [["--polls=1m"], "--polls: unknown flag"],
    ])("are rejected: %j", (argv, message) => {
      expect(() => parseManagerFlags(argv, own)).toThrow(message);
    });

    it("come first in the list of --help", () => {
      expect(() => parseManagerFlags(["--help"], own)).toThrow(
        /^flags of the operator:\n {2}--poll\n {8}How often to look. \(default 10m\)\n[\s\S]*\nflags of the manager:\n {2}--kubeconfig/,
      );
    });
  });
});
