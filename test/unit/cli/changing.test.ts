import { describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { memoryIo, type MemoryIo } from "./memory-io.ts";
import { filesOf, init, project, refuse, run, succeed } from "./project-io.ts";

const memcached = "create api --group cache --kind Memcached --make=false";
const busybox = "create api --group cache --kind Busybox --image busybox:1 --make=false";
const captain = "create api --group cache --kind Captain --version v1 --controller=false --make=false";
const captain2 = "create api --group cache --kind Captain --version v2 --make=false";
const pods = "create api --group core --version v1 --kind Pod --resource=false --make=false";
const conversion = "create webhook --group cache --kind Captain --version v2 --conversion --make=false";
const admission = "create webhook --group cache --kind Memcached --defaulting --programmatic-validation --make=false";

describe("tsop delete restores every byte changed by the creation of", () => {
  it.each([
    ["a kind", [], memcached, "delete api --group cache --kind Memcached --make=false"],
    ["a kind with --ssa", [busybox], `${memcached} --ssa`, "delete api --group cache --kind Memcached --make=false"],
    ["the second kind", [memcached], busybox, "delete api --group cache --kind Busybox --make=false"],
    [
      "the first kind while a second one exists",
      [busybox],
      memcached,
      "delete api --group cache --kind Memcached --make=false",
    ],
    ["a controller for a built-in kind", [], pods, "delete api --group core --version v1 --kind Pod --make=false"],
    ["webhooks", [memcached], admission, "delete webhook --group cache --kind Memcached --make=false"],
    [
      "webhooks with the operator's own certificate",
      [memcached],
      `${admission} --cert self-signed`,
      "delete webhook --group cache --kind Memcached --make=false",
    ],
    [
      "one of two webhooks",
      [memcached, admission.replace("--programmatic-validation ", "")],
      admission.replace("--defaulting ", ""),
      "delete webhook --group cache --kind Memcached --programmatic-validation --make=false",
    ],
    [
      "webhooks, with those of another kind kept",
      [memcached, busybox, admission.replace("Memcached", "Busybox")],
      admission,
      "delete webhook --group cache --kind Memcached --make=false",
    ],
    [
      "a webhook for a built-in kind",
      [],
      "create webhook --group core --version v1 --kind Pod --programmatic-validation --make=false",
      "delete webhook --group core --version v1 --kind Pod --make=false",
    ],
  ])("%s", async (_name, before, create, remove) => {
    const io = await project(...before);
    const files = filesOf(io);
    await succeed(io, create);
    expect(filesOf(io)).not.toEqual(files);
    await succeed(io, remove);
    expect(filesOf(io)).toEqual(files);
  });

  it("a kind and webhooks, in files with the line ends of Windows", async () => {
    const io = await project(memcached);
    for (const [path, text] of io.disk.files) await io.disk.write(path, text.replaceAll("\n", "\r\n"));
    const files = filesOf(io);
    await succeed(io, busybox, admission);
    const isMixed = (text: string): boolean => /[^\r]\n/.test(text) && text.includes("\r\n");
    expect([...io.disk.files].filter(([, text]) => isMixed(text))).toEqual([]);
    for (const line of ["webhook --kind Memcached", "api --kind Busybox"])
      await succeed(io, `delete ${line} --group cache --make=false`);
    expect(filesOf(io)).toEqual(files);
    await succeed(io, "delete api --group cache --kind Memcached --make=false");
  });

  it("conversions, except for the choice of the stored version", async () => {
    const io = await project(captain, captain2);
    const files = filesOf(io);
    await succeed(io, conversion, "delete webhook --group cache --kind Captain --version v2 --conversion --make=false");
    const strip = (all: Record<string, string>): object =>
      Object.fromEntries(Object.entries(all).map(([path, text]) => [path, text.replace(/.*storageversion.*\n/g, "")]));
    expect(strip(filesOf(io))).toEqual(strip(files));
  });
});

describe("tsop delete", () => {
  it("lists edited files and removes nothing unless forced", async () => {
    const io = await project(memcached);
    const path = "/p/controllers/memcached_controller.ts";
    await io.disk.write(path, `${io.disk.files.get(path)}// mine\n`);
    await refuse(io, "delete api --group cache --kind Memcached --make=false", [
      "  controllers/memcached_controller.ts  [TSOP_EDITED_FILES]",
    ]);
    await succeed(io, "delete api --group cache --kind Memcached --make=false --force");
    expect(io.disk.files.has(path)).toBe(false);
  });

  it("keeps a controller that works with another version, and records it there", async () => {
    const newer = "create api --group cache --kind Memcached --version v1 --controller=false --make=false";
    const io = await project(memcached, newer);
    const path = "/p/controllers/memcached_controller.ts";
    const ported = io.disk.files.get(path)!.replaceAll("api/v1alpha1/", "api/v1/");
    await io.disk.write(path, ported);
    const deleted = await run(io, "delete api --group cache --kind Memcached --make=false");
    expect(deleted).toBe(0);
    expect(io.disk.files.get(path)).toBe(ported);
    expect(io.disk.files.get("/p/main.ts")).toContain("new MemcachedReconciler(");
    expect(io.disk.files.has("/p/controllers/memcached_controller.test.ts")).toBe(true);
    expect(io.disk.files.has("/p/api/v1alpha1/memcached_types.ts")).toBe(false);
    expect(io.disk.files.get("/p/PROJECT")).toMatch(/controller: true\n(?: {2}.*\n)*? {2}version: v1\n/);

    await succeed(io, "delete api --group cache --kind Memcached --version v1 --force --make=false");
    expect(io.disk.files.has(path)).toBe(false);
  });

  it("asks on a terminal, and changes nothing if the answer is no", async () => {
    const io = await project(memcached);
    const files = filesOf(io);
    const terminal = { ...io, isTTY: true, prompt: { ...io.prompt, confirm: async () => false } };
    expect(await main("delete api --group cache --kind Memcached --make=false".split(" "), terminal)).toBe(0);
    expect(io.err()).toContain("These files will be removed:\n  api/v1alpha1/groupversion_info.ts\n");
    expect(filesOf(io)).toEqual(files);
  });

  it.each([
    ["delete api --group cache --kind Redis", "TSOP_NOT_IN_PROJECT", "it has: Memcached in cache/v1alpha1"],
    ["delete api --kind Memcached", "TSOP_NOT_IN_PROJECT", "no kind Memcached in v1alpha1 without a group; it has: "],
    [
      "delete api --group cache --kind Memcached",
      "TSOP_HAS_WEBHOOKS",
      "tsop delete webhook --group cache --version v1alpha1",
    ],
    [
      "delete webhook --group cache --kind Memcached --conversion",
      "TSOP_WEBHOOK_UNKNOWN",
      "it has: defaulting, validation",
    ],
  ])("rejects: %s", async (line, code, part) => {
    const io = await project(memcached, admission);
    await refuse(io, line, [code, part]);
  });
});

describe("tsop create webhook", () => {
  it.each(["--spoke v1,v3", "--spoke v1 --spoke v3"])("converts the versions of %s", async (flags) => {
    const captain3 = captain.replace("--version v1", "--version v3");
    const io = await project(captain, captain3, captain2, `${conversion} ${flags}`);
    expect(io.disk.files.get("/p/PROJECT")).toContain("    spoke:\n    - v1\n    - v3\n");
  });

  it.each([
    ["--kind Memcached", "TSOP_WEBHOOK_TYPE_MISSING", "add --defaulting"],
    ["--kind Memcached --defaulting", "TSOP_WEBHOOK_EXISTS", "--defaulting"],
    ["--kind Redis --defaulting", "TSOP_API_UNKNOWN", "Redis"],
    ["--kind Memcached --group cache.example.com --defaulting", "TSOP_GROUP_WITH_DOMAIN", "--group cache\n"],
    ["--kind Memcachd --defaulting", "TSOP_API_UNKNOWN", "it has: Memcached in cache/v1alpha1"],
    [
      "--kind Memcachd --defaulting",
      "TSOP_API_UNKNOWN",
      "did you mean --group cache --version v1alpha1 --kind Memcached?",
    ],
    ["--group cahe --kind Memcached --defaulting", "TSOP_API_UNKNOWN", "did you mean --group cache --version v1alpha1"],
    ["--kind Memcached --version v3 --defaulting", "TSOP_API_UNKNOWN", "did you mean --group cache --version v1alpha1"],
    ["--group batc --version v1 --kind Job --defaulting", "TSOP_API_UNKNOWN", "--group batch --version v1 --kind Job?"],
    [
      "--group batch --version v1 --kind Foo --defaulting",
      "TSOP_BUILTIN_KIND_UNKNOWN",
      "it has: CronJob in v1, Job in v1",
    ],
    ["--group apps --version v1 --kind Deploymnt --defaulting", "TSOP_BUILTIN_KIND_UNKNOWN", "v1 --kind Deployment?"],
    [
      "--group apps --version v1beta1 --kind Deployment --defaulting",
      "TSOP_BUILTIN_KIND_UNKNOWN",
      "v1 --kind Deployment?",
    ],
    ["--group core --version v1 --kind Podd --defaulting", "TSOP_BUILTIN_KIND_UNKNOWN", "--kind Pod?"],
    [
      "--kind Memcached --conversion",
      "TSOP_CONVERSION_ALONE",
      "tsop create api --group cache --kind Memcached --version",
    ],
    ["--kind Captain --version v1 --defaulting --cert self-signed", "TSOP_WEBHOOK_CERT", "are already cert-manager"],
    ["--kind Captain --version v1 --conversion", "TSOP_CONVERSION_HUB", "already use v2"],
    ["--kind Captain --version v2 --conversion --spoke v9", "TSOP_SPOKE_UNKNOWN", "only v1"],
    ["--kind Captain --version v2 --conversion", "TSOP_WEBHOOK_EXISTS", "--conversion"],
    ["--kind Captain --version v2 --defaulting --validation-path /x", "TSOP_WEBHOOK_PATH", "--programmatic-validation"],
    ["--kind Captain --version v2 --defaulting --defaulting-path x", "TSOP_WEBHOOK_PATH", "/mutate-memcacheds"],
  ])("rejects %s with %s", async (flags, code, part) => {
    const io = await project(memcached, admission, captain, captain2, conversion);
    await refuse(io, `create webhook --group cache ${flags} --make=false`, [code, part]);
  });
});

describe("tsop edit", () => {
  it("--multigroup moves files to the layout of a multi-group project, and back", async () => {
    const io = await project(memcached, admission, busybox, captain, captain2, conversion, pods);
    const files = filesOf(io);
    await succeed(io, "edit --multigroup --make=false");
    const born = memoryIo();
    for (const line of [`${init} --multigroup`, memcached, admission, busybox, captain, captain2, conversion, pods]) {
      expect(await run(born, line)).toBe(0);
    }
    expect(filesOf(io)).toEqual(filesOf(born));
    await succeed(io, "edit --multigroup=false --make=false");
    expect(filesOf(io)).toEqual(files);
  });

  it.each(["", "edit --multigroup --make=false"])(
    "carries the markers of a version's folder into the next: %s",
    async (edit) => {
      const io = await project(captain, ...(edit ? [edit] : []));
      const folder = `/p/api/${edit ? "cache/" : ""}`;
      const group = `${folder}v1/groupversion_info.ts`;
      const types = `${folder}v1/captain_types.ts`;
      await io.disk.write(group, `${io.disk.files.get(group)}// +tsop:maxDescLen=0\n`);
      await io.disk.write(types, `// +tsop:embeddedObjectMeta\n\n${io.disk.files.get(types)}`);
      await succeed(io, captain2.replace(" --make=false", ""));
      expect(io.disk.files.get(`${folder}v2/groupversion_info.ts`)).toContain(
        "// +groupName=cache.example.com\n// +tsop:embeddedObjectMeta\n// +tsop:maxDescLen=0\n",
      );
      const crd = io.disk.files.get("/p/config/crd/bases/cache.example.com_captains.yaml");
      expect(crd).toContain("name: v2");
      expect(crd).not.toContain("description:");
    },
  );

  it("--multigroup prints the renamed names that clusters and alerts may use", async () => {
    const io = await project(memcached, admission, busybox);
    await succeed(io, "edit --multigroup --make=false");
    const [, list] = io.err().split("\nRenamed, which metrics, alerts, events and bindings may refer to:\n");
    expect(list!.split("\n")).toEqual(
      expect.arrayContaining([
        "  controller memcached to cache-memcached",
        "  webhook mmemcached-v1alpha1.kb.io to mcache-memcached-v1alpha1.kb.io",
        "  ClusterRole memcached-admin-role to cache-memcached-admin-role",
        "  controller busybox to cache-busybox",
        "  event source busybox-controller to cache-busybox-controller",
      ]),
    );
    const other = await project(memcached);
    expect(await run(other, "edit --owner me --make=false")).toBe(0);
    expect(other.err()).not.toContain("Renamed");
  });

  it("--multigroup leaves kinds and webhooks that can be deleted", async () => {
    const io = await project(memcached, busybox, admission, "edit --multigroup --make=false");
    for (const line of ["webhook --kind Memcached", "api --kind Memcached", "api --kind Busybox"])
      await succeed(io, `delete ${line} --group cache --make=false`);
    expect(io.disk.files.has("/p/controllers/cache/memcached_controller.ts")).toBe(false);
  });

  it.each([
    ["--multigroup", "controllers/cache", "webhooks/cache/v1alpha1", ["cache-memcached", "memcached"]],
    ["--multigroup=false", "controllers", "webhooks/v1alpha1", ["memcached", "cache-memcached"]],
  ] as const)(
    "%s of an older tsop left names with which kinds can be deleted",
    async (flag, controllers, webhooks, names) => {
      const before = flag === "--multigroup" ? [] : ["edit --multigroup --make=false"];
      const io = await project(...before, memcached, admission, `edit ${flag} --make=false`);
      const [now, former] = names;
      const leave = async (path: string, from: string, to: string): Promise<void> => {
        const text = io.disk.files.get(path)!;
        expect(text).toContain(from);
        await io.disk.write(path, text.replace(from, to));
      };
      await leave(`/p/${controllers}/memcached_controller.ts`, `.named("${now}")`, `.named("${former}")`);
      for (const [letter, type] of [
        ["m", "defaulter"],
        ["v", "validator"],
      ])
        await leave(`/p/${webhooks}/memcached_${type}.ts`, `name=${letter}${now}-`, `name=${letter}${former}-`);
      for (const what of ["webhook", "api"])
        await succeed(io, `delete ${what} --group cache --kind Memcached --make=false`);
      expect(io.disk.files.has(`/p/${controllers}/memcached_controller.ts`)).toBe(false);
    },
  );

  it("treats a renamed controller as edited", async () => {
    const io = await project("edit --multigroup --make=false", memcached);
    const path = "/p/controllers/cache/memcached_controller.ts";
    await io.disk.write(path, io.disk.files.get(path)!.replace('.named("cache-memcached")', '.named("mine")'));
    expect(await run(io, "delete api --group cache --kind Memcached --make=false")).toBe(1);
    expect(io.err()).toContain("[TSOP_EDITED_FILES]");
  });

  it("--multigroup moves the user's files next to the types, and fixes the imports of the types", async () => {
    const io = await project(memcached);
    await io.disk.write("/p/api/v1alpha1/sizes.ts", "export const small = 1;\n");
    await io.disk.write("/p/controllers/shared.ts", 'import { small } from "../api/v1alpha1/sizes.ts";\n');
    await succeed(io, "edit --multigroup --make=false");
    expect(io.disk.files.get("/p/api/cache/v1alpha1/sizes.ts")).toBe("export const small = 1;\n");
    expect(io.disk.files.get("/p/controllers/shared.ts")).toBe(
      'import { small } from "../api/cache/v1alpha1/sizes.ts";\n',
    );
  });

  it("--namespaced gives the same result as init --namespaced, and =false reverts it", async () => {
    const io = await project(memcached, busybox);
    const files = filesOf(io);
    await succeed(io, "edit --namespaced --make=false");
    const born = memoryIo();
    for (const line of [`${init} --namespaced`, memcached, busybox]) expect(await run(born, line)).toBe(0);
    const sortLines = (all: MemoryIo): object =>
      Object.fromEntries([...all.disk.files].map(([path, text]) => [path, text.split("\n").toSorted()]));
    expect(sortLines(io)).toEqual(sortLines(born));
    await succeed(io, "edit --namespaced=false --make=false");
    expect(filesOf(io)).toEqual(files);
  });

  it("--license, --license-file and --owner change the header of future files only", async () => {
    const io = await project(memcached);
    const files = filesOf(io);
    const header = "/p/hack/boilerplate.ts.txt";
    await succeed(io, "edit --license none --make=false");
    expect(filesOf(io)).toEqual(Object.fromEntries(Object.entries(files).filter(([path]) => path !== header)));
    await succeed(io, "edit --owner Acme --make=false");
    expect(io.disk.files.get(header)).toMatch(/^\/\*\nCopyright \d{4} Acme\.\n\nLicensed under the Apache/);
    await io.disk.write("/p/ours.txt", "/* All ours. */\n");
    await succeed(io, "edit --license-file ours.txt --make=false");
    expect(io.disk.files.get(header)).toBe("/* All ours. */\n");
    await succeed(io, busybox);
    expect(io.disk.files.get("/p/controllers/busybox_controller.ts")).toMatch(/^\/\* All ours\. \*\/\n\nimport /);
    // Files with the old header are still recognized as unchanged.
    await succeed(io, "delete api --group cache --kind Memcached --make=false");
  });

  it.each([
    ["gone.txt", undefined, "the file does not exist"],
    ["open.txt", "/* never ends", "it is not one comment"],
    ["code.txt", "/* one */ let x = 1; /* two */", "it is not one comment"],
  ])("rejects the licence file %s", async (path, text, reason) => {
    const io = await project();
    if (text !== undefined) await io.disk.write(`/p/${path}`, text);
    await refuse(io, `edit --license-file ${path} --make=false`, ["TSOP_LICENSE_FILE", reason]);
  });

  it("rejects a return from the multi-group layout with several groups, and changes nothing", async () => {
    const io = await project("edit --multigroup", memcached, "create api --group ship --kind Frigate --make=false");
    expect(await run(io, "edit --multigroup=false --make=false")).toBe(1);
    expect(io.err()).toContain("kinds of several groups: cache, ship");
    expect(await run(io, "edit")).toBe(2);
  });
});
