import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/main.ts";
import { readRelease } from "../../../../src/olm/cluster/olm-release.ts";
import { memoryIo } from "../../cli/memory-io.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const signal = new AbortController().signal;
const crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: NAME}\n";
const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: NAME, namespace: olm}\n";
const crds = crd.replace("NAME", "clusterserviceversions.operators.coreos.com");
const parts = ["olm-operator", "catalog-operator"].map((name) => deployment.replace("NAME", name));
const olm = parts.join("---\n");
const page = "<!DOCTYPE html><html><body>Sign in</body></html>";

/** What a server has, by folder: crds.yaml and olm.yaml. */
const folders: Readonly<Record<string, readonly [string, string]>> = {
  "/good": [crds, olm],
  "/page": [page, page],
  "/broken": ["a: [b\n", olm],
  "/without-crds": ["", olm],
  "/without-operator": [crds, parts[1]!],
};
const server = createServer(({ url = "" }, response) => {
  const [, folder = "", file] = /^(.*)\/(.*)$/.exec(url) ?? [];
  const text = folders[folder]?.[file === "crds.yaml" ? 0 : 1];
  // A folder whose server never answers.
  if (folder === "/silent") return;
  response.writeHead(text === undefined ? 404 : 200).end(text);
});
let address = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close().closeAllConnections());

const read = (manifests: string, timeoutMs = 30_000) => readRelease({ version: "1", manifests }, { signal, timeoutMs });

describe("readRelease", () => {
  it("reads the two files of a URL, the CRDs first", async () => {
    const all = await read(`${address}/good/`);
    expect(all.map(({ object }) => object.metadata.name)).toEqual([
      "clusterserviceversions.operators.coreos.com",
      "olm-operator",
      "catalog-operator",
    ]);
  });

  it.each([
    ["/none", "the server responds with 404"],
    ["/page", "it is not a release of OLM, because it has no clusterserviceversions"],
    ["/without-crds", "it is not a release of OLM, because it has no clusterserviceversions"],
    ["/without-operator", "it is not a release of OLM, because it has no olm-operator"],
    ["/broken", "crds.yaml:2:1: unexpected end of the stream"],
  ])("rejects %s of a server", async (path, reason) => {
    await expect(read(`${address}${path}`)).rejects.toThrow(reason);
  });

  it("says why a server can't be reached, or that it does not answer in time", async () => {
    await expect(read("http://127.0.0.1:1/x")).rejects.toThrow(
      /127\.0\.0\.1:1\/x\/\w+\.yaml can't be used: .*(bad port|ECONNREFUSED)/,
    );
    await expect(read(`${address}/silent`, 50)).rejects.toThrow("does not answer within 0.05 seconds");
  });

  it("refuses a folder with other manifests, and an empty one, before it writes anything", async () => {
    const folder = temporaryFolder();
    await expect(read(folder)).rejects.toMatchObject({ code: "TSOP_OLM_RELEASE" });
    writeFileSync(join(folder, "a.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n");
    await expect(read(folder)).rejects.toThrow(`${folder} can't be used: it is not a release of OLM`);
    writeFileSync(join(folder, "b.yaml"), [crds, olm].join("---\n"));
    expect(await read(folder)).toHaveLength(4);
  });
});

it.each([
  ["an empty --manifests", ["--manifests", ""], "It is empty"],
  [
    "--manifests beside --version",
    ["--manifests", "a", "--version", "0.38.0"],
    "cannot be used with option '--version",
  ],
])("tsop olm install rejects %s", async (_, flags, reason) => {
  const io = memoryIo({});
  expect([await main(["olm", "install", ...flags], io), io.err()]).toEqual([2, expect.stringContaining(reason)]);
});
