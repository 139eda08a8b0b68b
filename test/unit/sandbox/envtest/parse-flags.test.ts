import { describe, expect, it } from "vitest";
import { FlagError, parseFlags } from "../../../../src/sandbox/envtest/parse-flags.ts";
import { readKnownFlags } from "../../../../src/sandbox/envtest/server-settings.ts";

const { flags } = readKnownFlags();
const parse = (line: string) => Object.fromEntries(parseFlags(line.split(" ").filter(Boolean), flags));

describe("parseFlags", () => {
  it.each([
    ["--secure-port=6443", { "secure-port": ["6443"] }],
    ["--secure-port 6443 --cert-dir=/x", { "secure-port": ["6443"], "cert-dir": ["/x"] }],
    ["--secure_port=6443", { "secure-port": ["6443"] }],
    ["--allow-privileged --profiling=false", { "allow-privileged": ["true"], profiling: ["false"] }],
    ["--authorization-mode=Node --authorization-mode=RBAC", { "authorization-mode": ["Node", "RBAC"] }],
    ["--service-account-issuer=https://x/?a=b", { "service-account-issuer": ["https://x/?a=b"] }],
    ["--cert-dir=", { "cert-dir": [""] }],
    ["-v 4 -v=5 -v6 --v=7", { v: ["4", "5", "6", "7"] }],
    ["--version", { version: ["true"] }],
    ["", {}],
  ])("reads %j", (line, given) => {
    expect(parse(line)).toEqual(given);
  });

  it.each([
    ["--foo", "unknown flag: --foo"],
    ["--foo_bar=1", "unknown flag: --foo-bar"],
    ["--toString", "unknown flag: --toString"],
    ["-x", "unknown flag: -x"],
    ["--secure-port", "flag needs an argument: --secure-port"],
    ["--secure-port=abc", 'invalid argument "abc" for --secure-port: not of type int'],
    ["--allow-privileged=maybe", 'invalid argument "maybe" for --allow-privileged: not of type bool'],
    ["--bind-address=foo", 'invalid argument "foo" for --bind-address: not of type ip'],
    ["--event-ttl=foo", 'invalid argument "foo" for --event-ttl: not of type duration'],
    ["-v x", 'invalid argument "x" for -v: not of type Level'],
    ["--allow-privileged false", "kube-apiserver takes flags only, got false"],
    ["-- --secure-port=1", "kube-apiserver takes flags only, got --secure-port=1"],
  ])("refuses %j as kube-apiserver does", (line, message) => {
    expect(() => parse(line)).toThrow(new FlagError(message));
  });
});
