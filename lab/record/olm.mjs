// Records the output of the real tools for the cases, so that the tests run without them. FOLDER holds operator-sdk,
// opm and scorecard-test (operator-sdk's images/scorecard-test, built; it reads /bundle, which must not exist). The
// image is built by the Docker that DOCKER_HOST names and goes through REGISTRY, a registry without TLS on this
// machine; the tsop in dist/ writes catalogs, and opm reads and rewrites them.
// Usage: node lab/record/olm.mjs FOLDER [bundles|packages|findings|digests|scorecard|catalog|catalogs|markers|image …]
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { load } from "js-yaml";

const here = fileURLToPath(new URL("../../test/unit/olm", import.meta.url));
const tsop = fileURLToPath(new URL("../../bin/tsop.js", import.meta.url));
const [tools, ...wanted] = process.argv.slice(2);
const part = (name) => readFileSync(join(here, "cases/parts", `${name}.yaml`), "utf8");

const project = `domain: example.com
layout:
- go.kubebuilder.io/v4
projectName: memcached-operator
repo: example.com/memcached-operator
version: "3"
`;

const shortNames = {
  csv: ".clusterserviceversion.yaml",
  crd: "cache.example.com_memcacheds.yaml",
  annotations: "annotations.yaml",
};

const recorders = { bundles, packages, digests, findings, scorecard, catalog, catalogs, markers, image };
for (const [name, record] of Object.entries(recorders)) {
  if (wanted.length === 0 || wanted.includes(name)) await record();
}

function bundles() {
  const target = join(here, "recorded/bundles");
  rmSync(target, { recursive: true, force: true });
  for (const [name, { parts, base, flags }] of Object.entries(readJson("cases/bundles.json"))) {
    inFolder((folder) => {
      writeFileSync(join(folder, "PROJECT"), project);
      if (base) write(join(folder, "config/manifests/bases/memcached-operator.clusterserviceversion.yaml"), part(base));
      const input = parts.map(part).join("---\n");
      execFileSync(
        "/bin/sh",
        ["-c", 'cat input.yaml | "$0" generate bundle "$@"', join(tools, "operator-sdk"), ...flags],
        {
          cwd: writeInput(folder, input),
          stdio: ["ignore", "ignore", "pipe"],
        },
      );
      for (const made of ["bundle", "out", "bundle.Dockerfile"])
        copyIfThere(join(folder, made), join(target, name, made));
    });
  }
}

function packages() {
  const target = join(here, "recorded/packages");
  rmSync(target, { recursive: true, force: true });
  for (const name of readdirSync(join(here, "cases/packages"))) {
    inFolder((folder) => {
      const args = ["pkgman-to-bundle", join(here, "cases/packages", name), "--output-dir", "bundles"];
      execFileSync(join(tools, "operator-sdk"), args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
      copyIfThere(join(folder, "bundles"), join(target, name));
    });
  }
}

/**
 * Records the CSV of a bundle whose images are pinned by REGISTRY; the recording and the cases use a common name for
 * the registry.
 */
function digests() {
  const usual = "registry.example.com";
  const atRegistry = (text) => text.replaceAll(usual, process.env.REGISTRY);
  const found = {};
  for (const [name, { parts, base, images, flags }] of Object.entries(readJson("cases/digests.json"))) {
    inFolder((folder) => {
      writeFileSync(join(folder, "PROJECT"), project);
      if (base) {
        const file = "config/manifests/bases/memcached-operator.clusterserviceversion.yaml";
        write(join(folder, file), atRegistry(part(base)));
      }
      const digestOf = {};
      for (const image of images) {
        makeBundle(join(folder, "image"), {});
        write(
          join(folder, "image/bundle.Dockerfile"),
          `FROM scratch\nLABEL a=${image}\nCOPY bundle/metadata /metadata/\n`,
        );
        const push = [tsop, "bundle", "build", "--push", atRegistry(image)];
        const options = { cwd: join(folder, "image"), encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
        digestOf[image] = execFileSync(process.execPath, push, options).trim().replace(/^.*@/, "");
      }
      const input = atRegistry(parts.map(part).join("---\n"));
      const script = 'cat input.yaml | "$0" generate bundle --use-image-digests "$@"';
      const cwd = writeInput(folder, input);
      execFileSync("/bin/sh", ["-c", script, join(tools, "operator-sdk"), ...flags], { cwd, stdio: "pipe" });
      const csv = readFileSync(join(folder, "bundle/manifests/memcached-operator.clusterserviceversion.yaml"), "utf8");
      const { metadata, spec } = load(csv.replaceAll(process.env.REGISTRY, usual));
      const { createdAt: _, ...annotations } = metadata.annotations;
      found[name] = { digests: digestOf, annotations, install: spec.install, relatedImages: spec.relatedImages };
    });
  }
  write(join(here, "recorded/digests.json"), `${JSON.stringify(found, null, 1)}\n`);
}

function findings() {
  const found = {};
  for (const [name, { flags = [], stricter: _, ...change }] of Object.entries(
    load(readFileSync(join(here, "cases/findings.yaml"), "utf8")),
  )) {
    inFolder((folder) => {
      makeBundle(folder, change);
      const args = ["bundle", "validate", "./bundle", "-o", "json-alpha1", ...flags];
      const { status, stdout, stderr } = spawnSync(join(tools, "operator-sdk"), args, {
        cwd: folder,
        encoding: "utf8",
      });
      const fatal = /level=(?:fatal|error) msg="?(.*?)"?$/m.exec(stderr)?.[1];
      const outputs = stdout
        ? (JSON.parse(stdout).outputs ?? []).map(
            ({ type, message }) => `${type} ${message.replace(/0x[0-9a-f]{6,}/g, "0x…").slice(0, 240)}`,
          )
        : [];
      found[name] = {
        exit: status,
        ...(outputs.length > 0 ? { outputs } : {}),
        ...(stdout ? {} : { fatal: fatal ?? stderr }),
      };
    });
  }
  write(join(here, "recorded/findings.json"), `${JSON.stringify(found, null, 1)}\n`);
}

function scorecard() {
  const bundle = join(here, "recorded/bundles/scorecard/bundle");
  const list = Object.fromEntries(
    ["text", "json", "xunit"].map((format) => {
      const args = ["scorecard", bundle, "--list", "-o", format];
      return [format, execFileSync(join(tools, "operator-sdk"), args, { encoding: "utf8" })];
    }),
  );
  const names = load(part("scorecard")).stages[0].tests.map(({ entrypoint }) => entrypoint[1]);
  const results = {};
  for (const [name, change] of Object.entries(load(readFileSync(join(here, "cases/scorecard.yaml"), "utf8")))) {
    inFolder((folder) => {
      makeBundle(folder, change);
      // The program is built for a container, and reads only this path.
      cpSync(join(folder, "bundle"), "/bundle", { recursive: true });
      try {
        results[name] = Object.fromEntries(names.map((test) => [test, scorecardTest(test)]));
      } finally {
        rmSync("/bundle", { recursive: true });
      }
    });
  }
  write(join(here, "recorded/scorecard.json"), `${JSON.stringify({ list, results }, null, 1)}\n`);
}

function scorecardTest(name) {
  const [{ state, errors = [], suggestions = [] }] = JSON.parse(
    execFileSync(join(tools, "scorecard-test"), [name], { encoding: "utf8" }),
  ).results;
  return { state, errors: errors.length, suggestions: suggestions.length };
}

function catalog() {
  const blobs = {};
  for (const [name, change] of Object.entries(load(readFileSync(join(here, "cases/catalog.yaml"), "utf8")))) {
    inFolder((folder) => {
      makeBundle(folder, change);
      const args = ["render", join(folder, "bundle"), "-o", "json"];
      const blob = JSON.parse(
        execFileSync(join(tools, "opm"), args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
      );
      for (const { value } of blob.properties) if (value?.data) value.data = digest(value.data);
      blobs[name] = blob;
    });
  }
  write(join(here, "recorded/catalog.json"), `${JSON.stringify(blobs, null, 1)}\n`);
}

/** Records opm's output for catalogs that tsop wrote: as text, with digests in place of the packed objects. */
function catalogs() {
  const texts = {};
  for (const [name, bundles] of Object.entries(load(readFileSync(join(here, "cases/catalogs.yaml"), "utf8")))) {
    inFolder((folder) => {
      for (const [index, change] of bundles.entries()) makeBundle(join(folder, `b${index}`), change);
      const folders = bundles.map((_, index) => `b${index}/bundle`);
      const images = bundles.flatMap((_, index) => ["--image", `registry.example.com/team/bundle:v${index}`]);
      execFileSync(process.execPath, [tsop, "bundle", "catalog", ...folders, ...images], {
        cwd: folder,
        stdio: "pipe",
      });
      const opm = (...args) => execFileSync(join(tools, "opm"), args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
      opm("validate", "catalog");
      texts[name] = opm("render", "catalog", "-o", "yaml").replaceAll(
        /data: (\S+)/g,
        (_, data) => `data: ${digest(data)}`,
      );
    });
  }
  write(join(here, "recorded/catalogs.json"), `${JSON.stringify(texts, null, 1)}\n`);
}

/** Returns a digest for an object of a catalog, as the objects themselves are in the recorded bundle. */
function digest(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function markers() {
  inFolder((folder) => {
    cpSync(join(here, "cases/markers/go"), folder, { recursive: true });
    const args = ["generate", "kustomize", "manifests", "--interactive=false"];
    execFileSync(join(tools, "operator-sdk"), args, { cwd: folder, stdio: "ignore" });
    const base = "config/manifests/bases/memcached-operator.clusterserviceversion.yaml";
    cpSync(join(folder, base), join(here, "recorded/markers.yaml"));
  });
}

/** Records a bundle's image as Docker builds and pushes it, without the parts that depend on the time. */
async function image() {
  const name = `${process.env.REGISTRY}/record/bundle:v1`;
  const bundle = join(here, "recorded/bundles/scorecard");
  const docker = (...args) => execFileSync("docker", args, { cwd: bundle, stdio: "ignore" });
  docker("build", "-f", "bundle.Dockerfile", "-t", name, ".");
  docker("push", name);
  const get = async (path) => {
    const headers = { accept: "application/vnd.docker.distribution.manifest.v2+json" };
    const answer = await fetch(`http://${process.env.REGISTRY}/v2/record/bundle/${path}`, { headers });
    return Buffer.from(await answer.arrayBuffer());
  };
  const manifest = JSON.parse(await get("manifests/v1"));
  const config = JSON.parse(await get(`blobs/${manifest.config.digest}`));
  const layers = await Promise.all(manifest.layers.map(async ({ digest }) => gunzipSync(await get(`blobs/${digest}`))));
  const described = {
    manifest: {
      schemaVersion: manifest.schemaVersion,
      mediaType: manifest.mediaType,
      config: manifest.config.mediaType,
      layers: manifest.layers.map(({ mediaType }) => mediaType),
    },
    platform: `${config.os}/${config.architecture}`,
    config: config.config,
    history: config.history.map(({ created_by, empty_layer = false }) => ({
      created_by: created_by.replace(/ # buildkit$/, ""),
      empty_layer,
    })),
    layers: layers.map(describeTar),
  };
  write(join(here, "recorded/docker-image.json"), `${JSON.stringify(described, null, 1)}\n`);
}

/** Describes each entry as registry.test.ts does: mode, owner and group, size and path. */
function describeTar(archive) {
  const entries = [];
  const text = (at, length) => archive.toString("utf8", at, at + length).replace(/\0.*/s, "");
  for (let at = 0; archive[at] !== 0;) {
    const field = (offset, length) => Number.parseInt(text(at + offset, length), 8);
    const size = field(124, 12);
    entries.push(`${field(100, 8).toString(8)} ${field(108, 8)}:${field(116, 8)} ${size} ${text(at, 100)}`);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}

/** Builds a bundle as bundle-case.ts does for the tests. */
function makeBundle(folder, { of = "plain", edit = {}, write: added = {}, fill = {}, remove = [] }) {
  const bundle = join(folder, "bundle");
  cpSync(join(here, "recorded/bundles", of, "bundle"), bundle, { recursive: true });
  const paths = readdirSync(bundle, { recursive: true, encoding: "utf8" });
  for (const [file, replacements] of Object.entries(edit)) {
    const path = join(
      bundle,
      paths.find((path) => path.endsWith(shortNames[file] ?? file)),
    );
    const text = replacements.reduce(
      (text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`${path} does not hold ${from}`);
        return text.replaceAll(from, to);
      },
      readFileSync(path, "utf8"),
    );
    writeFileSync(path, text);
  }
  for (const [path, text] of Object.entries(added)) write(join(bundle, path), text);
  for (const [path, size] of Object.entries(fill)) write(join(bundle, path), largeConfigMap(path, size));
  for (const path of remove) rmSync(join(bundle, path));
}

/** Returns a ConfigMap of the given size that no compression shrinks below three quarters; always the same. */
function largeConfigMap(path, size) {
  const name = basename(path).replace(/_.*/, "");
  const count = Math.ceil(size / 64);
  const noise = Array.from({ length: count }, (_, index) =>
    createHash("sha384").update(`${name} ${index}`).digest("base64"),
  );
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  noise: "${noise.join("").slice(0, size)}"\n`;
}

function writeInput(folder, text) {
  write(join(folder, "input.yaml"), text);
  return folder;
}

function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "tsop-record-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function copyIfThere(from, to) {
  try {
    cpSync(from, to, { recursive: true });
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(join(here, path), "utf8"));
}
