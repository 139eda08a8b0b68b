import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { FlagError, parseFlags } from "../../../../src/sandbox/envtest/parse-flags.ts";
import { readKnownFlags, serverSettings } from "../../../../src/sandbox/envtest/server-settings.ts";

const folder = mkdtempSync(join(tmpdir(), "tsop-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

const known = readKnownFlags();
const etcd = "--etcd-servers=http://127.0.0.1:1";
const settingsOf = (...args: string[]) => serverSettings(parseFlags([etcd, ...args], known.flags), known);
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe("serverSettings", () => {
  it("takes the flags of envtest, of which two would change answers", () => {
    write("apiserver.crt", "certificate");
    write("apiserver.key", "key");
    const ca = write("client-ca.crt", "authority");
    const settings = settingsOf(
      "--allow-privileged=true",
      "--authorization-mode=RBAC",
      "--bind-address=127.0.0.1",
      `--cert-dir=${folder}`,
      `--client-ca-file=${ca}`,
      "--disable-admission-plugins=ServiceAccount",
      "--secure-port=40123",
      "--service-account-issuer=https://127.0.0.1:40123/",
      `--service-account-key-file=${folder}/sa-signer.crt`,
      `--service-account-signing-key-file=${folder}/sa-signer.key`,
      "--service-cluster-ip-range=10.0.0.0/24",
    );
    expect(settings).toEqual({
      host: "127.0.0.1",
      port: 40123,
      certificateFolder: folder,
      certificate: { cert: "certificate", key: "key" },
      clientAuthority: "authority",
      rbac: true,
      accounts: false,
      withoutEffect: ["--service-account-issuer", "--service-cluster-ip-range"],
    });
  });

  it("allows everything without an authorization mode, and gives pods accounts without a list of plugins", () => {
    expect(settingsOf()).toMatchObject({ rbac: false, accounts: true, host: "127.0.0.1", port: 6443 });
    expect(settingsOf("--authorization-mode=RBAC,AlwaysAllow").rbac).toBe(false);
    expect(settingsOf("--authorization-mode=Node,RBAC").rbac).toBe(true);
  });

  it.each([
    ["--feature-gates=JobPodReplacementPolicy=true", "--feature-gates"],
    ["--runtime-config=api/all=true", "--runtime-config"],
    ["--authorization-mode=Node,RBAC", "--authorization-mode=Node"],
    ["--enable-admission-plugins=AlwaysPullImages,LimitRanger", "--enable-admission-plugins=AlwaysPullImages"],
    ["--disable-admission-plugins=ServiceAccount,LimitRanger", "--disable-admission-plugins=LimitRanger"],
  ])("names %s as one without effect", (flag, named) => {
    expect(settingsOf("--allow-privileged", flag).withoutEffect).toEqual([named]);
  });

  it.each([["--etcd-prefix=/x"], ["--watch-cache=false"], ["-v=4"], ["--max-requests-inflight=5"]])(
    "says nothing about %s, which changes no answer",
    (flag) => {
      expect(settingsOf("--allow-privileged", flag).withoutEffect).toEqual([]);
    },
  );

  it.each([
    [
      ["--secure-port=70000"],
      "--secure-port 70000 must be between 1 and 65535, inclusive. It cannot be turned off with 0",
    ],
    [["--enable-admission-plugins=Foo"], 'enable-admission-plugins plugin "Foo" is unknown'],
    [["--disable-admission-plugins=Foo"], 'disable-admission-plugins plugin "Foo" is unknown'],
    [["--authorization-mode=Foo"], 'authorization-mode "Foo" is not a valid mode'],
    [["--client-ca-file=/nope"], "ENOENT: no such file or directory, open '/nope'"],
    [["--tls-cert-file=/nope", "--tls-private-key-file=/nope"], "ENOENT: no such file or directory, open '/nope'"],
  ])("refuses %j as kube-apiserver does", (args, message) => {
    expect(() => settingsOf(...args)).toThrow(new FlagError(message));
  });

  it("names all problems at once, such as the missing etcd", () => {
    const flags = parseFlags(["--authorization-mode=Foo"], known.flags);
    expect(() => serverSettings(flags, known)).toThrow(
      new FlagError('[--etcd-servers must be specified, authorization-mode "Foo" is not a valid mode]'),
    );
  });
});
