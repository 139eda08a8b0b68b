import { describe, expect, it } from "vitest";
import { applyPlan } from "../../../../../src/files/apply.ts";
import { memoryDisk } from "../../../../../src/files/memory-disk.ts";
import { loadProject } from "../../../../../src/project/load-project.ts";
import { editText, firstRelease, randomNumbers } from "../../../files/random-edits.ts";
import { mergePackage } from "../../../../../src/project/scaffold/update/merge-package.ts";
import { planUpdate } from "../../../../../src/project/scaffold/update/plan-update.ts";

type Files = Readonly<Record<string, string>>;

const project = (version: string): string =>
  `# mine\ncliVersion: ${version}\nlayout:\n- typescript.tsop.dev/v1\nprojectName: demo\nversion: "3"\n`;

async function update(files: { base: Files; ours: Files; theirs: Files }): Promise<{ files: Files; notes: string[] }> {
  const entries = Object.entries({ PROJECT: project("1.0.0"), ...files.ours });
  const disk = memoryDisk(Object.fromEntries(entries.map(([path, text]) => [`/p/${path}`, text])));
  const base = new Map(Object.entries({ PROJECT: "old", ...files.base }));
  const theirs = new Map(Object.entries({ PROJECT: "new", ...files.theirs }));
  const labels = { ours: "yours", theirs: "tsop 2.0.0" };
  const { plan, notes } = await planUpdate(
    await loadProject("/p", disk),
    { base, theirs, version: "2.0.0", labels },
    disk,
  );
  await applyPlan(plan, disk);
  const { "/p/PROJECT": recorded, ...rest } = Object.fromEntries(disk.files);
  expect(recorded).toBe(project("2.0.0"));
  return {
    files: Object.fromEntries(Object.entries(rest).map(([path, text]) => [path.slice(3), text])),
    notes: notes.map(({ path, conflicts, text }) => `${[path, ...conflicts].join(":")} ${text}`),
  };
}

describe("planUpdate", () => {
  it.each<[string, { base: Files; ours: Files; theirs: Files }, Files, string[]]>([
    [
      "takes the templates' change of an untouched file",
      { base: { a: "1\n" }, ours: { a: "1\n" }, theirs: { a: "2\n" } },
      { a: "2\n" },
      [],
    ],
    [
      "keeps a changed file of which the template is the same",
      { base: { a: "1\n" }, ours: { a: "me\n" }, theirs: { a: "1\n" } },
      { a: "me\n" },
      [],
    ],
    ["adds a new file", { base: {}, ours: {}, theirs: { "b/a": "2\n" } }, { "b/a": "2\n" }, []],
    ["removes a file that only the old templates have", { base: { a: "1\n" }, ours: { a: "1\n" }, theirs: {} }, {}, []],
    [
      "keeps the lock of the packages, which no template has",
      { base: { "package-lock.json": "{}" }, ours: { "package-lock.json": "{}" }, theirs: {} },
      { "package-lock.json": "{}" },
      [],
    ],
    [
      "keeps such a file if it was changed",
      { base: { a: "1\n" }, ours: { a: "me\n" }, theirs: {} },
      { a: "me\n" },
      ["a the templates no longer have this file, and you have changed it: it stays"],
    ],
    ["leaves a deleted file deleted", { base: { a: "1\n" }, ours: {}, theirs: { a: "1\n" } }, {}, []],
    [
      "names a deleted file whose template has changed",
      { base: { a: "1\n" }, ours: {}, theirs: { a: "2\n" } },
      {},
      ["a you deleted this file, and its template has changed: it stays deleted"],
    ],
    [
      "marks a new file of the templates that the author wrote, too",
      { base: {}, ours: { a: "me\n" }, theirs: { a: "you\n" } },
      { a: "<<<<<<< yours\nme\n=======\nyou\n>>>>>>> tsop 2.0.0\n" },
      ["a:1 both changed the same lines"],
    ],
    [
      "keeps Windows line ends",
      { base: { a: "1\n2\n3\n" }, ours: { a: "1\r\n2\r\n3\r\nme\r\n" }, theirs: { a: "0\n2\n3\n" } },
      { a: "0\r\n2\r\n3\r\nme\r\n" },
      [],
    ],
    [
      "removes a file with Windows line ends that has no template any more",
      { base: { a: "1\n2\n" }, ours: { a: "1\r\n2\r\n" }, theirs: {} },
      {},
      [],
    ],
    [
      "does not touch what is no text",
      { base: { a: "1\n" }, ours: { a: "\0\n" }, theirs: { a: "2\n" } },
      { a: "\0\n" },
      ["a it is not a text: it stays as it is"],
    ],
    [
      "leaves the output of the generators alone",
      {
        base: {
          "config/rbac/role.yaml": "1\n",
          "api/v1/zz_generated.kinds.ts": "1\n",
          "config/webhook/manifests.yaml": "1\n",
        },
        ours: { "config/rbac/role.yaml": "me\n", "api/v1/zz_generated.kinds.ts": "me\n" },
        theirs: { "config/rbac/role.yaml": "2\n", "config/crd/bases/a.yaml": "2\n" },
      },
      { "config/rbac/role.yaml": "me\n", "api/v1/zz_generated.kinds.ts": "me\n" },
      [],
    ],
    [
      "keeps both insertions at a scaffold point",
      {
        base: { a: "x\n  # +kubebuilder:scaffold:builder\n" },
        ours: { a: "x\n  me\n  # +kubebuilder:scaffold:builder\n" },
        theirs: { a: "x\n  you\n  # +kubebuilder:scaffold:builder\n" },
      },
      { a: "x\n  me\n  you\n  # +kubebuilder:scaffold:builder\n" },
      [],
    ],
  ])("%s", async (_title, files, expected, notes) => {
    expect(await update(files)).toEqual({ files: expected, notes });
  });
});

describe("planUpdate of random edits of a whole project", () => {
  it("keeps every line of the author, and takes the templates' lines where the author changed nothing", async () => {
    const { PROJECT: _project, ...base } = firstRelease()["deploy-image"]!;
    const next = randomNumbers(5);
    for (let round = 0; round < 5; round++) {
      const edited = (prefix: string, share: number): Files => {
        const files = Object.entries(base).filter(() => next(20) > 0);
        const change = (text: string): string =>
          next(share) === 0 ? editText(text, { prefix, rate: 20, next }) : text;
        return Object.fromEntries(files.map(([path, text]) => [path, change(text)]));
      };
      const [ours, theirs] = [edited("our ", 2), edited("their ", 2)];
      const { files } = await update({ base, ours, theirs });
      for (const [path, text] of Object.entries(ours)) {
        const old = new Set((base[path] ?? "").split("\n"));
        const mine = text.split("\n").filter((line) => !old.has(line));
        const after = new Set(files[path]?.split("\n"));
        expect(
          mine.filter((line) => !after.has(line)),
          path,
        ).toEqual([]);
        const isMerged = !/role.yaml$|crd.bases|zz_generated/.test(path);
        if (text === base[path] && isMerged) expect(files[path], path).toBe(theirs[path]);
      }
    }
  });
});

describe("mergePackage", () => {
  const json = (value: object, indent: number | string = 2): string => `${JSON.stringify(value, null, indent)}\n`;
  const base = {
    name: "a",
    scripts: { test: "vitest", old: "x" },
    dependencies: { tsop: "^1" },
    devDependencies: { vitest: "^4.1" },
  };

  it("joins dependencies and scripts, in the order and with the indentation of the project", () => {
    const ours = {
      ...base,
      dependencies: { redis: "^5", tsop: "^1" },
      scripts: { mine: "y", test: "vitest", old: "x" },
    };
    const theirs = { ...base, dependencies: { pino: "^1", tsop: "^2" }, scripts: { test: "vitest run", more: "z" } };
    const merged = {
      ...base,
      scripts: { mine: "y", test: "vitest run", more: "z" },
      dependencies: { pino: "^1", redis: "^5", tsop: "^2" },
    };
    const texts = { base: json(base), ours: json(ours, "\t"), theirs: json(theirs) };
    expect(mergePackage(texts)).toEqual({ text: json(merged, "\t"), kept: [] });
  });

  it("keeps the project's value if both changed it, and the project's removals", () => {
    const { devDependencies: _removed, ...without } = base;
    const ours = { ...without, scripts: { ...base.scripts, test: "jest" } };
    const theirs = { ...base, scripts: { ...base.scripts, test: "vitest run" } };
    expect(mergePackage({ base: json(base), ours: json(ours), theirs: json(theirs) })).toEqual({
      text: json(ours),
      kept: [{ path: "scripts.test", ours: '"jest"', theirs: '"vitest run"' }],
    });
  });

  it("names a value that the project has moved and the templates have changed", () => {
    const ours = { ...base, dependencies: {}, devDependencies: { ...base.devDependencies, tsop: "^1" } };
    const theirs = { ...base, dependencies: { tsop: "^2" } };
    expect(mergePackage({ base: json(base), ours: json(ours), theirs: json(theirs) })).toEqual({
      text: json(ours),
      kept: [{ path: "dependencies.tsop", ours: "absent", theirs: '"^2"' }],
    });
  });

  it("changes no byte if the templates did not change, and leaves a file with comments to the merge by lines", () => {
    const ours = '{"name":   "a"}';
    expect(mergePackage({ base: json(base), ours, theirs: json(base) })?.text).toBe(ours);
    expect(mergePackage({ base: json(base), ours: "{ // mine\n}", theirs: json(base) })).toBeUndefined();
  });
});
