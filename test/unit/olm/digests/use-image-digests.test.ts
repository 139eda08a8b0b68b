import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/main.ts";
import { memoryIo, type MemoryIo } from "../../cli/memory-io.ts";
import { bundleOf } from "../bundle-case.ts";
import { startRegistry, type Registry } from "../../oci/start-registry.ts";

const part = (name: string): string => readFileSync(new URL(`../cases/parts/${name}.yaml`, import.meta.url), "utf8");
const csvFile = "/p/bundle/manifests/memcached-operator.clusterserviceversion.yaml";
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const cases = read("../cases/digests.json") as Record<string, { parts: string[]; base?: string }>;
const recorded = read("../recorded/digests.json") as Record<string, Recorded>;
const digest = (digit: number): string => `sha256:${String(digit).repeat(64)}`;

interface Recorded {
  readonly digests: Record<string, string>;
  readonly install: object;
  readonly annotations: Record<string, string>;
  readonly relatedImages: readonly { image: string }[];
}

describe("tsop generate bundle --use-image-digests", () => {
  const images = ["manager:1", "memcached:1.6", "setup:1", "side:1", "tool:1"];
  const map = JSON.stringify(Object.fromEntries(images.map((image) => [`registry.example.com/${image}`, digest(5)])));

  it.each(Object.entries(cases))(
    "pins the images that operator-sdk pins, and lists each once: %s",
    async (name, bundle) => {
      const { digests, install, annotations, relatedImages } = recorded[name]!;
      const base = "/p/config/manifests/bases/memcached-operator.clusterserviceversion.yaml";
      const files = { ...(bundle.base ? { [base]: part(bundle.base) } : {}), "/p/map.json": JSON.stringify(digests) };
      const io = inputIo(bundle.parts.map(part).join("---\n"), files);
      expect(await generate(io, "--image-digest-map", "map.json"), io.err()).toBe(0);
      const { metadata, spec } = load(io.disk.files.get(csvFile)!) as any;
      expect(spec.install).toEqual(install);
      expect(withoutMaker(metadata.annotations)).toEqual(withoutMaker(annotations));
      const images = (list: readonly { image: string }[]): string[] => list.map(({ image }) => image).toSorted();
      expect(images(spec.relatedImages)).toEqual([...new Set(images(relatedImages))]);
      const names = spec.relatedImages.map(({ name }: any) => name);
      expect(new Set(names).size).toBe(names.length);
    },
  );

  // operator-sdk ends with an error here.
  it("pins an image in an argument", async () => {
    const image = "registry.example.com/manager:1";
    const args = `image: ${image}\n        args: [${image}, --image=${image}]`;
    const io = inputIo(part("digests").replace(`image: ${image}`, args), { "/p/map.json": map });
    expect(await generate(io, "--image-digest-map", "map.json"), io.err()).toBe(0);
    const { spec } = load(io.disk.files.get(csvFile)!) as any;
    const [{ args: pinned }] = spec.install.spec.deployments[0].spec.template.spec.containers;
    expect(pinned).toEqual([`registry.example.com/manager@${digest(5)}`, `--image=${image}`]);
  });

  it.each([
    ["a missing map", {}, "the file does not exist"],
    ["a map of another kind", { "/p/map.json": '{"a": "b"}' }, "64 hexadecimal digits"],
  ])("rejects %s and writes nothing", async (_, files, text) => {
    const io = inputIo(part("related-images"), files);
    expect(await generate(io, "--image-digest-map", "map.json")).toBe(1);
    expect(io.err()).toContain(text);
    expect(io.disk.files.has(csvFile)).toBe(false);
  });

  describe("with a registry", () => {
    let registry: Registry;
    beforeAll(async () => {
      registry = await startRegistry();
    });
    afterAll(() => registry.stop());

    it("gets digests from the registry", async () => {
      const image = `${registry.host}/team/memcached-operator:v0.0.1`;
      const bundle = [...bundleOf({})].map(([path, text]) => [`/p/bundle/${path}`, text] as const);
      const dockerfile = "FROM scratch\nLABEL a=b\nCOPY bundle/manifests /manifests/\n";
      const pusher = memoryIo({ files: { ...Object.fromEntries(bundle), "/p/bundle.Dockerfile": dockerfile } });
      expect(await main(["bundle", "build", "--push", image], pusher), pusher.err()).toBe(0);
      const io = inputIo(part("deployment").replace("registry.example.com/memcached-operator:v0.0.1", image));
      expect(await generate(io), io.err()).toBe(0);
      expect(io.disk.files.get(csvFile)).toContain(`image: ${pusher.out()}`);
    });
  });
});

function inputIo(stdin: string, files: Record<string, string> = {}): MemoryIo {
  const project =
    'domain: example.com\nlayout:\n- typescript.tsop.dev/v1\nprojectName: memcached-operator\nversion: "3"\n';
  const io = memoryIo({ files: { "/p/PROJECT": project, ...files } });
  return { ...io, stdin: bytes(stdin) };
}

async function generate(io: MemoryIo, ...flags: string[]): Promise<number> {
  return main(["generate", "bundle", "--use-image-digests", "--version", "0.0.1", ...flags], io);
}

/** Returns the annotations except those for the time and the tool. */
function withoutMaker(annotations: Readonly<Record<string, string>>): Record<string, string> {
  const makers = /^createdAt$|\/(builder|project_layout)$/;
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !makers.test(key)));
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
