import { createServer, type Server } from "node:http";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { emitYaml } from "../../../../src/apimachinery/yaml/emit.ts";
import { main } from "../../../../src/cli/main.ts";
import { parseProject } from "../../../../src/project/parse-project.ts";
import { boatCrd } from "../from-crd/boat-crd.ts";
import { listen } from "../../client/listen.ts";
import { memoryIo, type MemoryIo } from "../../cli/memory-io.ts";

const init = "init --domain example.com --project-name demo --skip-install --tsop ^1.0.0 --license none";
const run = (io: MemoryIo, line: string): Promise<number> => main(line.split(" "), io);
const string = { type: "string" as const };
const crd = (properties: Record<string, object>): string => emitYaml(boatCrd({ type: "object", properties }));
const types = "/p/api/external/sea.example.com/v1/boat_types.ts";
const kinds = "/p/api/external/sea.example.com/v1/zz_generated.kinds.ts";

async function project(files: Readonly<Record<string, string>> = {}): Promise<MemoryIo> {
  const io = memoryIo();
  expect([await run(io, init), io.err()]).toEqual([0, io.err()]);
  await io.disk.makeFolder("/p/crds");
  for (const [path, text] of Object.entries(files)) await io.disk.write(`/p/crds/${path}`, text);
  return io;
}

async function imported(): Promise<MemoryIo> {
  const io = await project({ "boat.yaml": crd({ color: string }) });
  expect([await run(io, "create api --from-crd crds/boat.yaml"), io.err()]).toEqual([0, io.err()]);
  return io;
}

/** What a command printed to stderr. */
async function printed(io: MemoryIo, line: string, code = 0): Promise<string> {
  const before = io.err().length;
  expect([await run(io, line), io.err()]).toEqual([code, io.err()]);
  return io.err().slice(before);
}

describe("tsop delete api", () => {
  const remove = "delete api --group sea --version v1 --kind Boat";

  it("removes the types of a foreign kind, and its source does not bring them back", async () => {
    const io = await imported();
    await printed(io, remove);
    expect([...io.disk.files.keys()].filter((path) => path.includes("/api/"))).toEqual([]);
    await printed(io, "generate types");
    await printed(io, "generate code");
    expect([...io.disk.files.keys()].filter((path) => path.includes("/api/"))).toEqual([]);
    await printed(io, "create api --from-crd crds/boat.yaml");
    expect(io.disk.files.has(types)).toBe(true);
  });

  it("leaves the other kinds of the group and version", async () => {
    const io = await imported();
    const ship = crd({ length: string }).replaceAll("Boat", "Ship").replaceAll("boat", "ship");
    await io.disk.write("/p/crds/ship.yaml", ship);
    await printed(io, "create api --from-crd crds/ship.yaml");
    await printed(io, remove);
    expect(io.disk.files.has(types)).toBe(false);
    expect(io.disk.files.get(kinds)).toContain("Ship");
    expect(io.disk.files.get(kinds)).not.toContain("Boat");
  });

  it("removes edited types only if forced", async () => {
    const io = await imported();
    await io.disk.write(types, io.disk.files.get(types)!.replace("color", "colour"));
    expect(await printed(io, remove, 1)).toContain("boat_types.ts");
    await printed(io, `${remove} --force`);
    expect(io.disk.files.has(types)).toBe(false);
  });
});

it("names the stored version of a kind with several for the next step", async () => {
  const boat = boatCrd({ type: "object" });
  const [v1] = boat.spec.versions;
  const versions = [{ ...v1!, name: "v1alpha1", storage: false }, v1!];
  const io = await project({ "boat.yaml": emitYaml({ ...boat, spec: { ...boat.spec, versions } }) });
  expect(await printed(io, "create api --from-crd crds/boat.yaml")).toContain("--group sea --version v1 --kind Boat");
});

describe("types with the line ends of Windows", () => {
  async function checkedOut(): Promise<MemoryIo> {
    const io = await imported();
    for (const [path, text] of io.disk.files) await io.disk.write(path, text.replaceAll("\n", "\r\n"));
    return io;
  }

  it("are written again with them, without a conflict", async () => {
    const io = await checkedOut();
    const before = Object.fromEntries(io.disk.files);
    await printed(io, "generate types");
    await printed(io, "generate code --check");
    expect(Object.fromEntries(io.disk.files)).toEqual(before);
    await io.disk.write("/p/crds/boat.yaml", crd({ colour: string }));
    await printed(io, "generate types");
    expect(io.disk.files.get(types)).toMatch(/colour\?: string;\r\n/);
    expect(io.disk.files.get(kinds)).toMatch(/\r\n/);
  });

  it("are deleted without --force", async () => {
    const io = await checkedOut();
    await printed(io, "delete api --group sea --version v1 --kind Boat");
    expect(io.disk.files.has(types)).toBe(false);
  });
});

describe("tsop create api --from-crd", () => {
  it("generates no code with --make=false", async () => {
    const io = await project({ "boat.yaml": crd({ color: string }) });
    await printed(io, "create api --from-crd crds/boat.yaml --make=false");
    expect([io.disk.files.has(types), io.disk.files.has(kinds)]).toEqual([true, false]);
  });

  it("writes types and Kind constants, records the kind, and makes no CRD", async () => {
    const io = await imported();
    expect(io.disk.files.get(types)).toContain("color?: string;");
    expect(io.disk.files.get(kinds)).toContain("export const Boat: Kind<Boat>");
    expect([...io.disk.files.keys()].filter((path) => path.includes("config/crd/bases"))).toEqual([]);
    const recorded = parseProject(io.disk.files.get("/p/PROJECT")!, "PROJECT");
    expect(recorded.resources).toEqual([
      {
        domain: "example.com",
        external: true,
        group: "sea",
        kind: "Boat",
        path: "./api/external/sea.example.com/v1/zz_generated.kinds.ts",
        version: "v1",
      },
    ]);
    expect(recorded.plugins?.["types.tsop.dev/v1"]).toEqual({ sources: [{ file: "crds/boat.yaml" }] });
    expect(await printed(io, "generate code --check")).toBe("");
    expect(await printed(io, "generate manifests --check")).toBe("");
  });

  it("owns nothing of the kind in a bundle", async () => {
    const io = await imported();
    await printed(io, "generate kustomize manifests --interactive=false");
    const base = io.disk.files.get("/p/config/manifests/bases/demo.clusterserviceversion.yaml");
    expect(base).toContain("kind: ClusterServiceVersion");
    expect(base).not.toContain("Boat");
  });

  it("makes a controller of the kind afterwards", async () => {
    const io = await imported();
    await printed(io, "create api --group sea --version v1 --kind Boat --resource=false --controller");
    expect(io.disk.files.get("/p/controllers/boat_controller.ts")).toContain(
      'from "../api/external/sea.example.com/v1/zz_generated.kinds.ts"',
    );
    expect(await printed(io, "generate types")).not.toContain("removed");
    const { resources } = parseProject(io.disk.files.get("/p/PROJECT")!, "PROJECT");
    expect(resources?.[0]?.controller).toBe(true);
  });

  it("reads real files: many documents, other kinds, lists, comments, folders with templates", async () => {
    const list = emitYaml({ apiVersion: "v1", kind: "List", items: [boatCrd({ type: "object" })] });
    const io = await project({
      "all.yaml": `# Source: chart/templates/crd.yaml\n---\n# nothing\n---\nkind: Service\napiVersion: v1\n---\n${list}`,
      "deployment.yaml": "{{- if .Values.enabled }}\nkind: Deployment\n{{- end }}\n",
    });
    await printed(io, "create api --from-crd crds --output api/boats");
    expect(io.disk.files.has("/p/api/boats/v1/boat_types.ts")).toBe(true);
  });

  it("reads standard input", async () => {
    const io = await project();
    const piped = { ...io, stdin: Readable.from([crd({ color: string })]) };
    expect(await main("create api --from-crd -".split(" "), piped)).toBe(0);
    expect(io.disk.files.has(types)).toBe(true);
    expect(io.err()).toContain("Standard input can't be read again");
  });

  it.each([
    ["--from-crd crds/none.yaml", 1, "crds/none.yaml has no CustomResourceDefinition; it has Service"],
    ["--from-crd absent", 1, "there is no file or folder absent"],
    ["--from-crd crds/groups.yaml --output api/all", 1, "several groups, which can't share the folder api/all"],
    [
      "--from-crd crds/outside.yaml",
      1,
      'crds/outside.yaml: CustomResourceDefinition boats.sea.example.com can\'t become types: group "../../x"',
    ],
    ["--from-crd crds/boat.yaml --output ../up", 1, `"../up": it is not the path of a folder of the project`],
    ["--from-crd crds/boat.yaml --kind Boat", 2, "--kind can't be used with --from-crd"],
    ["--from-crd a --from-cluster b", 2, "exclude each other"],
  ])("rejects %s", async (flags, code, message) => {
    const boat = boatCrd({ type: "object" });
    const inGroup = (group: string): string => emitYaml({ ...boat, spec: { ...boat.spec, group } });
    const io = await project({
      "none.yaml": "apiVersion: v1\nkind: Service\n",
      "boat.yaml": crd({}),
      "groups.yaml": `${inGroup("a.example.com")}---\n${inGroup("b.example.com")}`,
      "outside.yaml": inGroup("../../x"),
    });
    const files = Object.fromEntries(io.disk.files);
    expect(await printed(io, `create api ${flags}`, code)).toContain(message);
    expect(Object.fromEntries(io.disk.files)).toEqual(files);
  });

  it("rejects a kind of the project", async () => {
    const io = await project({ "boat.yaml": crd({}) });
    await printed(io, "create api --group sea --version v1 --kind Boat --controller=false --resource");
    expect(await printed(io, "create api --from-crd crds/boat.yaml", 1)).toContain("belongs to this project");
  });
});

describe("the types of foreign kinds", () => {
  it("follow their file with `generate code`, which says what changed", async () => {
    const io = await imported();
    await io.disk.write("/p/crds/boat.yaml", crd({ color: { ...string, maxLength: 3 }, crew: string }));
    expect(await run(io, "generate code --check")).toBe(1);
    const text = await printed(io, "generate code");
    expect(text).toContain(
      "sea.example.com/v1 Boat:\n  spec.color: maxLength none → 3 (breaks writers)\n  spec.crew: added\n",
    );
    expect(io.disk.files.get(types)).toContain("crew?: string;");
    expect(await printed(io, "generate code")).toBe("");
  });

  it("stay as they are without their file", async () => {
    const io = await imported();
    await io.disk.remove("/p/crds/boat.yaml");
    expect(await printed(io, "generate code")).toContain("warning: crds/boat.yaml is gone");
    expect(io.disk.files.has(types)).toBe(true);
    expect(await printed(io, "generate types", 1)).toContain("there is no file or folder crds/boat.yaml");
  });

  it("are overwritten after a formatter has changed them, but not after an edit by hand", async () => {
    const io = await imported();
    await io.disk.write("/p/crds/boat.yaml", crd({ crew: string }));
    const written = io.disk.files.get(types)!;
    await io.disk.write(types, written.replace("color?: string", "color?: 'red'"));
    expect(await printed(io, "generate code")).toContain("was edited by hand and stays");
    expect(await printed(io, "generate types", 1)).toContain("api/external/sea.example.com/v1/boat_types.ts");
    await printed(io, "generate types --force");
    expect(io.disk.files.get(types)).toContain("crew?: string;");
    await io.disk.write(types, io.disk.files.get(types)!.replaceAll('"', "'").replaceAll(";", ""));
    await printed(io, "generate types");
  });

  it("need a source for `generate types`", async () => {
    expect(await printed(await project(), "generate types", 1)).toContain(
      "PROJECT records no CustomResourceDefinitions",
    );
  });
});

describe("a URL", () => {
  async function serve(status: number, body: string): Promise<{ url: string; server: Server }> {
    const server = createServer((_request, response) => response.writeHead(status).end(body));
    return { url: `http://127.0.0.1:${await listen(server)}/crds.yaml`, server };
  }

  it("is read once, and again by `generate types` only", async () => {
    const { url, server } = await serve(200, crd({ color: string }));
    const io = await project();
    await printed(io, `create api --from-crd ${url}`);
    expect(io.disk.files.has(types)).toBe(true);
    await new Promise((done) => server.close(done));
    expect(await printed(io, "generate code")).toBe("");
    expect(await printed(io, "generate types", 1)).toContain(`${url} can't be read`);
  });

  it("that is not found causes an error with the status", async () => {
    const { url } = await serve(404, "");
    expect(await printed(await project(), `create api --from-crd ${url}`, 1)).toContain("the server responds with 404");
  });
});

it("refuses a source with very many files, such as the root of a disk", async () => {
  const io = await imported();
  await io.disk.makeFolder("/p/crds/many");
  for (let at = 0; at < 50_001; at++) await io.disk.write(`/p/crds/many/${at}`, "");
  const project = (await io.disk.read("/p/PROJECT"))!;
  await io.disk.write("/p/PROJECT", project.replace("crds/boat.yaml", "crds/many"));
  expect(await printed(io, "generate types", 1)).toContain("crds/many has more than 50000 files and folders");
});
