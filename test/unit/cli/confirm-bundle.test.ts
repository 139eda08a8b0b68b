import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { realDisk } from "../../../src/files/real-disk.ts";
import { formatKubeconfig } from "../../../src/sandbox/disk/write-kubeconfig.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { bundleOf, type BundleCase } from "../olm/bundle-case.ts";
import { serveImage } from "../olm/registry/serve-image.ts";
import { memoryIo, type MemoryIoOptions } from "./memory-io.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const folder = temporaryFolder();
const kubeconfig = join(folder, "kubeconfig");
const stopping = new AbortController();
afterAll(() => {
  stopping.abort();
});

/** A cluster without OLM: a command that asks nothing, or gets a yes, fails there. */
beforeAll(async () => {
  const { config } = await startSandbox({}, stopping.signal);
  writeFileSync(kubeconfig, formatKubeconfig(config));
});

const project = 'layout: typescript.tsop.dev/v1\nprojectName: memcached-operator\nversion: "3"\n';
const runs = "[TSOP_OLM_ABSENT]";
const refused = "[TSOP_BUNDLE_FOREIGN]";

function filesOf(at: string, bundle: BundleCase = { of: "no-base" }): Record<string, string> {
  return Object.fromEntries([...bundleOf(bundle)].map(([path, text]) => [join(at, path), text]));
}

async function tsop(line: string, options: MemoryIoOptions): Promise<string> {
  const io = { ...memoryIo(options), env: { KUBECONFIG: kubeconfig } };
  expect(await main(line.replace("CLUSTER", `--kubeconfig ${kubeconfig}`).split(" "), io)).toBe(1);
  return io.err();
}

const own = { "/p/PROJECT": project, ...filesOf("/p/bundle") };
const evil: BundleCase = {
  of: "no-base",
  edit: {
    csv: [
      ["- /manager", "- /bin/sh"],
      ["- --leader-elect", '- --kubeconfig=./vb/kc\n                - "a\\n  image: b"'],
      [
        "                name: manager\n",
        "                name: manager\n                env:\n                - name: OPENSSL_CONF\n                  value: ./vb/evil.cnf\n",
      ],
    ],
  },
};
const strange = { "/p/PROJECT": project, ...filesOf("/p/vb", evil) };
const another = { of: "no-base", edit: { annotations: [["memcached-operator", "other"]] } } satisfies BundleCase;

const commands = ["run bundle BUNDLE CLUSTER", "run bundle-upgrade BUNDLE"];

describe.each(commands)("%s", (command) => {
  const run = (name: string, options: MemoryIoOptions): Promise<string> =>
    tsop(command.replace("BUNDLE", name), options);

  it("runs the project's own bundle without a question", async () => {
    for (const name of ["bundle", "./bundle/", "/p/bundle"]) {
      const err = await run(name, { files: own });
      expect(err).toContain(runs);
      expect(err).not.toContain("is not the bundle of this project");
    }
  });

  it.each([
    ["another folder of the project", "vb", strange],
    ["the package of another project", "bundle", { ...own, ...filesOf("/p/bundle", another) }],
    ["a folder without a project", "bundle", filesOf("/p/bundle")],
    [
      "a project in another language",
      "bundle",
      { ...own, "/p/PROJECT": project.replace("typescript.tsop.dev/v1", "go.kubebuilder.io/v4") },
    ],
  ])("refuses %s without a terminal, and runs it with --yes", async (_, name, files) => {
    expect(await run(name, { files })).toContain(refused);
    const agreed = await run(`${name} --yes`, { files });
    expect(agreed).toContain(runs);
    expect(agreed).toContain("is not the bundle of this project");
  });

  it("lists what the bundle runs before it asks", async () => {
    const err = await run("vb", { files: strange, isTTY: true, answers: [false] });
    const listed = err.slice(0, err.indexOf("error: ")).split("\n");
    expect(listed).toEqual([
      'vb, of package "memcached-operator", is not the bundle of this project. It runs:',
      'deployment "memcached-operator-controller-manager", container "manager"',
      '  image: "registry.example.com/memcached-operator:v0.0.1"',
      '  command: ["/bin/sh"]',
      '  args: ["--metrics-bind-address=:8443","--kubeconfig=./vb/kc","a\\n  image: b","--health-probe-bind-address=:8081"]',
      '  env "OPENSSL_CONF": "./vb/evil.cnf"',
      expect.stringMatching(/^Without a cluster/),
      expect.any(String),
      "",
    ]);
    expect(err).toContain(refused);
    expect(await run("vb", { files: strange, isTTY: true, answers: [true] })).toContain(runs);
  });
});

it("refuses an image, whatever package it claims to have", async () => {
  const registry = await serveImage(bundleOf({ of: "no-base" }));
  try {
    const image = `${registry.host}/bundle:v0.0.1`;
    expect(await tsop(`run bundle ${image} --plain-http CLUSTER`, { files: own })).toContain(refused);
  } finally {
    registry.close();
  }
});

it("refuses a link in place of the project's bundle", async () => {
  const root = join(folder, "project");
  const files = { ...filesOf(join(folder, "elsewhere")), [join(root, "PROJECT")]: project };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  symlinkSync("../elsewhere", join(root, "bundle"));
  const io = { ...memoryIo({ cwd: root }), disk: realDisk() };
  expect(await main(["run", "bundle", "bundle", "--kubeconfig", kubeconfig], io)).toBe(1);
  expect(io.err()).toContain(refused);
});

it("refuses a bundle without a cluster before it starts a server", async () => {
  const err = await tsop("run bundle vb", { files: strange });
  expect(err).toContain(refused);
  expect(err).not.toContain("embedded API server");
});
