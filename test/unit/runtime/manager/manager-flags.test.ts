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
    [["--nope"], "--nope: there is no such flag"],
    [["stray"], "--stray: there is no such flag"],
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
});
