import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAlive } from "../../src/files/is-alive.ts";
import { blocksOf } from "./document-blocks.ts";
import { findProgram, linkPackages, LongRunning, mustRun, run, temporaryFolder, until } from "./shell.ts";

// The lines that docs/any-operator.md shows for each language, with a test that uses them.
const source = fileURLToPath(new URL("envtest-languages/", import.meta.url));
const folder = temporaryFolder("languages");
afterAll(() => folder.remove());
beforeAll(() => linkPackages(folder.path));

/** Makes a project of a language in the folder, so that it finds tsop there. */
function makeProject(language: string, files: Readonly<Record<string, string>>): string {
  const project = join(folder.path, language);
  if (existsSync(join(source, language))) cpSync(join(source, language), project, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(project, path, ".."), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  return project;
}

function shown(language: string): string {
  const code = blocksOf("docs/any-operator.md").find((block) => block.language === language)?.code;
  return code ?? expect.fail(`docs/any-operator.md has no ${language}`);
}

/** Fails if a server of this project is left. */
async function expectNoServer(): Promise<void> {
  await until("no server is left", () => {
    const left = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isServer(pid) && isAlive(Number(pid)));
    return left.length === 0 ? true : undefined;
  });
}

function isServer(pid: string): boolean {
  try {
    const isOurs = readFileSync(`/proc/${pid}/environ`, "latin1").includes(folder.path);
    return isOurs && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("\0envtest\0--serve");
  } catch {
    return false; // it has just ended, or belongs to another user
  }
}

const python = process.env["TSOP_PYTHON"] || findProgram("python3");
const packages = ["-c", "import kubernetes, pytest"];
const withoutPython =
  python && (await run(python, packages, { cwd: source })).code === 0
    ? ""
    : " (skipped: no TSOP_PYTHON, and no python3 on the PATH, has the packages kubernetes and pytest)";

describe.skipIf(withoutPython)(`tests in Python${withoutPython}`, () => {
  const test = `from kubernetes import client

def test_refuses_a_name():
    try:
        client.CoreV1Api().create_namespaced_config_map("default", {"metadata": {"name": "A_b"}})
        assert False
    except client.ApiException as e:
        assert e.status == 422
`;

  it("use a server for a session, which ends with it", async () => {
    const cwd = makeProject("python", { "conftest.py": shown("python"), "test_names.py": test });
    expect(await mustRun(python!, ["-m", "pytest", "-q", "-p", "no:cacheprovider"], { cwd })).toContain("1 passed");
    await expectNoServer();
  });

  it("leave no server behind if they are killed", async () => {
    const waits =
      "import time\n\ndef test_waits(capsys):\n    with capsys.disabled():\n        print('waits', flush=True)\n    time.sleep(600)\n";
    const cwd = makeProject("killed", { "conftest.py": shown("python"), "test_waits.py": waits });
    const pytest = new LongRunning(python!, ["-m", "pytest", "-q", "-p", "no:cacheprovider"], { cwd });
    await pytest.prints(/waits/);
    await pytest.stop("SIGKILL");
    await expectNoServer();
  });
});

const withoutMaven = !findProgram("mvn")
  ? " (skipped: mvn is not installed)"
  : existsSync(join(homedir(), ".m2/repository/io/fabric8/kubernetes-client/7.3.1"))
    ? ""
    : " (skipped: run mvn test in a copy of test/e2e/envtest-languages/java once, which downloads the packages)";

it.skipIf(withoutMaven)(`tests in Java use a server for a class, which ends with it${withoutMaven}`, async () => {
  const test = `import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import org.junit.jupiter.api.Test;

class MapTest extends Cluster {
  @Test
  void appliesOnTheServer() {
    var map = new ConfigMapBuilder().withNewMetadata().withName("a").endMetadata().addToData("size", "1").build();
    client.configMaps().inNamespace("default").resource(map).serverSideApply();
    assertEquals("1", client.configMaps().inNamespace("default").withName("a").get().getData().get("size"));
  }
}
`;
  const files = { "src/test/java/Cluster.java": shown("java"), "src/test/java/MapTest.java": test };
  await mustRun("mvn", ["-q", "-B", "-o", "test"], { cwd: makeProject("java", files) });
  await expectNoServer();
});

const crates = join(homedir(), ".cargo/registry/src");
const hasCrates =
  existsSync(crates) &&
  readdirSync(crates).some((name) => readdirSync(join(crates, name)).some((each) => each.startsWith("kube-client-2.")));
const withoutCargo = !findProgram("cargo")
  ? " (skipped: cargo is not installed)"
  : hasCrates
    ? ""
    : " (skipped: run cargo fetch in a copy of test/e2e/envtest-languages/rust once)";

it.skipIf(withoutCargo)(`tests in Rust use a server, which ends with it${withoutCargo}`, async () => {
  const test = `mod cluster;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, Patch, PatchParams};

#[tokio::test]
async fn applies_on_the_server() -> Result<(), Box<dyn std::error::Error>> {
    let (mut server, client) = cluster::start().await?;
    let maps: Api<ConfigMap> = Api::namespaced(client, "default");
    let map = serde_json::json!({ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "a" }, "data": { "size": "1" } });
    maps.patch("a", &PatchParams::apply("test"), &Patch::Apply(map)).await?;
    assert_eq!(maps.get("a").await?.data.unwrap()["size"], "1");
    Ok(server.kill()?)
}
`;
  const files = { "src/lib.rs": "", "tests/cluster/mod.rs": shown("rust"), "tests/maps.rs": test };
  const env = { CARGO_TARGET_DIR: process.env["CARGO_TARGET_DIR"] ?? join(folder.path, "target") };
  await mustRun("cargo", ["test", "--quiet", "--offline"], { cwd: makeProject("rust", files), env });
  await expectNoServer();
});
