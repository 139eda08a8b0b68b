import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseYamlDocuments } from "../../../src/apimachinery/yaml/parse.ts";
import { main } from "../../../src/cli/main.ts";
import type { MemoryIo, MemoryIoOptions } from "./memory-io.ts";
import { filesOf, init, projectWith, succeed } from "./project-io.ts";

const built = readFileSync(new URL("../project/helm/recorded/api/kustomize.yaml", import.meta.url), "utf8");
const withoutKind = built
  .split("---\n")
  .filter((document) => !document.includes("memcached"))
  .join("---\n");
const helm = ["edit", "--plugins", "helm", "--manifests", "built.yaml"];

async function project(options: MemoryIoOptions = {}): Promise<MemoryIo> {
  const io = await projectWith(options, init.replace("demo", "minimal"));
  await io.disk.write("/p/built.yaml", built);
  return io;
}

async function withChart(): Promise<MemoryIo> {
  const io = await project();
  expect([await main(helm, io), io.err()]).toEqual([0, expect.stringContaining("created  dist/chart/Chart.yaml")]);
  return io;
}

const edit = async (io: MemoryIo, path: string, change: (text: string) => string): Promise<void> => {
  const text = io.disk.files.get(`/p/${path}`)!;
  const changed = change(text);
  expect(changed).not.toBe(text);
  await io.disk.write(`/p/${path}`, changed);
};
const chartOf = (io: MemoryIo): [string, string][] =>
  [...io.disk.files].filter(([path]) => path.startsWith("/p/dist/"));

describe("tsop edit --plugins helm", () => {
  it("writes the same chart again, and records it once", async () => {
    const io = await withChart();
    const before = filesOf(io);
    await succeed(io, helm);
    expect(filesOf(io)).toEqual(before);
    expect(io.disk.files.get("/p/PROJECT")).toContain(
      "  helm.kubebuilder.io/v2-alpha:\n    manifests: built.yaml\n    output: dist\n",
    );
    expect(io.disk.files.get("/p/Makefile")?.match(/^helm-chart:/gm)).toHaveLength(1);
  });

  it("keeps a file that was edited, and names it only if tsop would now write something else", async () => {
    const io = await withChart();
    await edit(io, "dist/chart/values.yaml", (text) => text.replace("replicas: 1", "replicas: 2"));
    await succeed(io, helm);
    expect(io.err()).not.toContain("edited by hand");
    expect(io.disk.files.get("/p/dist/chart/values.yaml")).toContain("replicas: 2");

    await io.disk.write("/p/built.yaml", built.replace("memory: 256Mi", "memory: 1Gi"));
    await succeed(io, helm);
    expect(io.err()).toContain("warning: dist/chart/values.yaml was edited by hand and stays");
    expect(io.disk.files.get("/p/dist/chart/values.yaml")).toContain("256Mi");

    await succeed(io, [...helm, "--force"]);
    expect(io.disk.files.get("/p/dist/chart/values.yaml")).toMatch(/replicas: 1\n[^]*1Gi/);
  });

  it("does not treat Windows line ends as an edit, and keeps them", async () => {
    const io = await withChart();
    for (const [path, text] of chartOf(io)) await io.disk.write(path, text.replaceAll("\n", "\r\n"));
    const before = chartOf(io);
    await succeed(io, helm);
    expect(chartOf(io)).toEqual(before);

    await io.disk.write("/p/built.yaml", built.replace("memory: 256Mi", "memory: 1Gi"));
    await succeed(io, helm);
    expect(io.err()).not.toContain("edited by hand");
    expect(io.disk.files.get("/p/dist/chart/values.yaml")).toMatch(/1Gi\r\n/);
    expect(chartOf(io).filter(([, text]) => /[^\r]\n/.test(text))).toEqual([]);
  });

  it("never overwrites Chart.yaml, which holds the version of the chart", async () => {
    const io = await withChart();
    await edit(io, "dist/chart/Chart.yaml", (text) => text.replace("version: 0.1.0", "version: 0.2.0"));
    await succeed(io, [...helm, "--force"]);
    expect(io.disk.files.get("/p/dist/chart/Chart.yaml")).toContain("version: 0.2.0");
  });

  it("removes the templates of removed objects, except edited ones and the user's own", async () => {
    const io = await withChart();
    const roles = "dist/chart/templates/rbac/memcached";
    await edit(io, `${roles}-editor-role.yaml`, (text) => text.replace("- delete\n", ""));
    await io.disk.write("/p/dist/chart/templates/mine.yaml", "kind: ConfigMap\n");
    await io.disk.write("/p/built.yaml", withoutKind);
    await succeed(io, helm);
    const left = chartOf(io).map(([path]) => path.slice("/p/".length));
    expect(left).not.toContain("dist/chart/templates/crd/memcacheds.cache.example.com.yaml");
    expect(left).not.toContain(`${roles}-admin-role.yaml`);
    expect(left).toContain(`${roles}-editor-role.yaml`);
    expect(left).toContain("dist/chart/templates/mine.yaml");
    expect(io.err()).toContain(`warning: ${roles}-editor-role.yaml was edited by hand and stays`);
  });

  it("writes a chart of the CRDs as well, again each time, until it is switched off", async () => {
    const io = await project();
    await succeed(io, [...helm, "--crd-chart"]);
    const files = () => [...io.disk.files.keys()].filter((path) => path.startsWith("/p/dist/crd-chart/"));
    expect(
      files()
        .map((path) => path.slice("/p/dist/crd-chart/".length))
        .toSorted(),
    ).toEqual([
      ".helmignore",
      "Chart.yaml",
      "templates/_helpers.tpl",
      "templates/memcacheds.cache.example.com.yaml",
      "values.schema.json",
      "values.yaml",
    ]);
    expect(io.disk.files.get("/p/dist/crd-chart/Chart.yaml")).toContain("name: minimal-crds\n");
    expect(io.disk.files.get("/p/PROJECT")).toContain("    crdChart: true\n");
    const before = filesOf(io);
    await succeed(io, helm);
    expect(filesOf(io)).toEqual(before);
    await succeed(io, [...helm, "--crd-chart=false"]);
    // Chart.yaml is the author's.
    expect(files()).toEqual(["/p/dist/crd-chart/Chart.yaml"]);
    expect(io.disk.files.get("/p/PROJECT")).not.toContain("crdChart");
  });

  it("writes into another folder, and nothing with --dry-run", async () => {
    const io = await project();
    await succeed(io, [...helm, "--output-dir", "charts", "--dry-run"]);
    expect(io.out()).toContain("charts/chart/values.yaml");
    expect(io.disk.files.has("/p/charts/chart/values.yaml")).toBe(false);
    await succeed(io, [...helm, "--output-dir", "charts"]);
    expect(io.disk.files.has("/p/charts/chart/values.yaml")).toBe(true);
    expect(io.disk.files.get("/p/Makefile")).toContain("HELM_CHART_DIR ?= charts/chart");
    await succeed(io, helm);
    expect(chartOf(io)).toEqual([]);
  });

  it("has make build the manifests if --manifests is not given", async () => {
    const io = await project({
      run: (program) => {
        if (program !== "make") return {};
        void io.disk.makeFolder("/p/dist");
        void io.disk.write("/p/dist/install.yaml", built);
        return {};
      },
    });
    await succeed(io, ["edit", "--plugins", "helm/v2-alpha"]);
    expect(io.ran).toContain("make build-installer");
    expect(io.disk.files.has("/p/dist/chart/values.yaml")).toBe(true);
  });

  it.each([
    [["--manifests", "absent.yaml"], "TSOP_HELM_MANIFESTS", 'there is no file "absent.yaml"'],
    [["--manifests", "PROJECT"], "TSOP_HELM_NO_MANAGER", "PROJECT contains no Deployment"],
    [[], "TSOP_HELM_MANIFESTS", "make build-installer failed:\nno rule"],
    [["--output-dir", "../charts"], "TSOP_INVALID_OPTION", "a folder of the project"],
    [["--multigroup"], "TSOP_USAGE", "a command of its own"],
  ])("rejects %j with %s", async (flags, code, part) => {
    const io = await project({ run: () => ({ exitCode: 2, stderr: "no rule\n" }) });
    expect(await main(["edit", "--plugins", "helm", ...flags], io)).not.toBe(0);
    expect(io.err()).toContain(part);
    if (code !== "TSOP_USAGE") expect(io.err()).toContain(code);
    expect(chartOf(io)).toEqual([]);
  });
});

describe("tsop edit --plugins grafana", () => {
  const grafana = ["edit", "--plugins", "grafana"];
  const config = "grafana/custom-metrics/config.yaml";
  const custom = "grafana/custom-metrics/custom-metrics-dashboard.json";

  it.each([[["helm,grafana"]], [["helm", "--plugins", "grafana"]]])("adds all plugins of %j", async (plugins) => {
    const io = await project();
    await succeed(io, ["edit", "--plugins", ...plugins, "--manifests", "built.yaml"]);
    expect(io.disk.files.has(`/p/${custom}`)).toBe(true);
    expect(io.disk.files.has("/p/dist/chart/Chart.yaml")).toBe(true);
  });

  it("writes the dashboards of kubebuilder's plugin, once more the same", async () => {
    const io = await project();
    await succeed(io, grafana);
    const before = filesOf(io);
    const written = Object.keys(before).filter((path) => path.startsWith("/p/grafana/"));
    expect(written.map((path) => path.slice("/p/".length)).sort()).toEqual([
      "grafana/controller-resources-metrics.json",
      "grafana/controller-runtime-metrics.json",
      config,
      custom,
    ]);
    expect(before["/p/PROJECT"]).toContain("  grafana.kubebuilder.io/v1-alpha: {}\n");
    await succeed(io, ["edit", "--plugins", "grafana.kubebuilder.io/v1-alpha"]);
    expect(filesOf(io)).toEqual(before);
  });

  it("writes a panel for each metric of config.yaml, and keeps an edited dashboard", async () => {
    const io = await project();
    await succeed(io, grafana);
    await edit(io, config, (text) => text.replace("[]", "[{metric: memcached_evictions_total, type: counter}]"));
    await succeed(io, grafana);
    expect(io.disk.files.get(`/p/${custom}`)).toContain("sum(rate(memcached_evictions_total{");
    await edit(io, custom, (text) => text.replace('"Custom-Metrics"', '"Mine"'));
    await edit(io, config, (text) => text.replace("evictions", "repairs"));
    await succeed(io, grafana);
    expect(io.err()).toContain(`warning: ${custom} was edited by hand and stays`);
    expect(io.disk.files.get(`/p/${custom}`)).toContain("memcached_evictions_total{");
  });

  it("names the place of a mistake in config.yaml", async () => {
    const io = await project();
    await io.disk.makeFolder("/p/grafana/custom-metrics");
    await io.disk.write(`/p/${config}`, "customMetrics: [{metric: a b, type: gauge}]\n");
    expect(await main(grafana, io)).toBe(1);
    expect(io.err()).toContain(`${config} is not valid: customMetrics[0].metric`);
    expect(io.disk.files.has(`/p/${custom}`)).toBe(false);
  });
});

describe("tsop edit --plugins sharding", () => {
  const sharding = ["edit", "--plugins", "sharding"];
  const ring = "config/sharding/controllerring.yaml";

  async function withController(): Promise<MemoryIo> {
    const io = await project();
    const api = ["create", "api", "--group", "cache", "--version", "v1", "--kind", "Memcached", "--resource"];
    await succeed(io, [...api, "--controller", "--make=false"]);
    await edit(io, "controllers/memcached_controller.ts", (text) =>
      text
        .replace(".for(Memcached)", ".for(Memcached).owns(Deployment).owns(Service, {\n})")
        .replace(
          /^/,
          'import { Deployment } from "tsop/k8s/apps/v1";\nimport { Secret, Service } from "tsop/k8s/core/v1";\n',
        ),
    );
    return io;
  }

  it("writes the ring of the kinds that controllers reconcile and own, and the sharder's permissions", async () => {
    const io = await withController();
    await succeed(io, sharding);
    expect(parseYamlDocuments(io.disk.files.get(`/p/${ring}`)!)[0]).toMatchObject({
      kind: "ControllerRing",
      spec: {
        resources: [
          {
            group: "cache.example.com",
            resource: "memcacheds",
            controlledResources: [
              { group: "apps", resource: "deployments" },
              { group: "", resource: "services" },
            ],
          },
        ],
      },
    });
    expect(io.disk.files.get("/p/config/sharding/sharder_role.yaml")).toContain(
      '- apiGroups:\n  - ""\n  resources:\n  - services\n  verbs:\n  - list\n  - patch\n',
    );
    expect(io.disk.files.get("/p/config/sharding/manager_patch.yaml")).toContain("--sharding-ring=minimal-ring");
    expect(io.disk.files.get("/p/config/default/kustomization.yaml")).toContain("components:\n- ../sharding\n");
    const before = filesOf(io);
    await succeed(io, sharding);
    expect(filesOf(io)).toEqual(before);
  });

  it("leaves out kinds that can't be shared: of another scope than their owner, and owned ones with a controller", async () => {
    const io = await withController();
    const create = async (kind: string, owned: string, ...more: string[]): Promise<void> => {
      const api = `create api --group cache --version v1 --kind ${kind} --resource --controller --make=false`;
      await succeed(io, [...api.split(" "), ...more]);
      await edit(io, `controllers/${kind.toLowerCase()}_controller.ts`, (text) =>
        text
          .replace(`.for(${kind})`, `.for(${kind})${owned}`)
          .replace(/^/, 'import { ConfigMap, Pod, Service } from "tsop/k8s/core/v1";\n'),
      );
    };
    await create("Fleet", ".owns(ConfigMap).owns(Ship)", "--namespaced=false");
    await create("Ship", "", "--namespaced=false");
    await create("Backup", ".owns(Job)");
    await create("Job", ".owns(Service).owns(Pod)");
    await succeed(io, sharding);
    expect(parseYamlDocuments(io.disk.files.get(`/p/${ring}`)!)[0]).toMatchObject({
      spec: {
        resources: [
          { resource: "memcacheds", controlledResources: [{ group: "apps", resource: "deployments" }] },
          { resource: "fleets" },
          { resource: "backups" },
        ],
      },
    });
    expect(io.disk.files.get(`/p/${ring}`)).not.toMatch(/configmaps|ships|jobs|services|pods/);
  });

  it("is undone by --remove, byte for byte", async () => {
    const io = await withController();
    const before = filesOf(io);
    await succeed(io, sharding, [...sharding, "--remove"]);
    expect(filesOf(io)).toEqual(before);
  });

  it("keeps a file that was edited by hand, unless it is forced", async () => {
    const io = await withController();
    await succeed(io, sharding);
    await edit(io, "config/sharding/manager_patch.yaml", (text) => text.replace("value: 3", "value: 5"));
    await succeed(io, [...sharding, "--remove"]);
    expect(io.err()).toContain("warning: config/sharding/manager_patch.yaml was edited by hand and stays");
    expect(io.err()).toContain("tsop edit --plugins sharding --remove --force --dry-run");
    await succeed(io, [...sharding, "--remove", "--force"]);
    expect(io.disk.files.has("/p/config/sharding/manager_patch.yaml")).toBe(false);
  });

  it("joins the components that config/default has already", async () => {
    const io = await withController();
    const base = "config/default/kustomization.yaml";
    await edit(io, base, (text) => `${text}components:\n- ../mine\n`);
    const before = io.disk.files.get(`/p/${base}`);
    await succeed(io, sharding);
    expect(io.disk.files.get(`/p/${base}`)).toContain("components:\n- ../sharding\n- ../mine\n");
    await succeed(io, [...sharding, "--remove"]);
    expect(io.disk.files.get(`/p/${base}`)).toBe(before);
  });

  it.each([
    [sharding, "no controller whose objects could be distributed"],
    [["edit", "--plugins", "grafana", "--remove"], "--remove goes with --plugins sharding and those of workflows"],
    [["edit", "--plugins", "grafana", "--manifests", "built.yaml"], "--manifests goes with --plugins helm"],
    [["edit", "--license", "none", "--output-dir", "charts"], "--output-dir goes with --plugins helm"],
    [["edit", "--license", "none", "--force"], "--force goes with --plugins"],
  ])("rejects %j in a project without kinds", async (argv, message) => {
    const io = await project();
    expect(await main(argv, io)).not.toBe(0);
    expect(io.err()).toContain(message);
    expect([...io.disk.files.keys()].filter((path) => path.includes("sharding"))).toEqual([]);
  });
});

describe("tsop edit --plugins release, pull-request and autoupdate", () => {
  const folder = ".github/workflows";

  it("writes the workflows with the commands of the project's package manager, and records them", async () => {
    const io = await project();
    await io.disk.write("/p/pnpm-lock.yaml", "");
    await succeed(io, ["edit", "--plugins", "release,pull-request"]);
    const release = io.disk.files.get(`/p/${folder}/release.yml`);
    expect(release).toContain("      - run: corepack enable\n");
    expect(release).toContain("      - run: pnpm install --frozen-lockfile\n");
    expect(release).toContain("${{ github.token }}");
    expect(io.disk.files.get("/p/PROJECT")).toContain("  pull-request.tsop.dev/v1: {}\n  release.tsop.dev/v1: {}\n");
    const before = filesOf(io);
    await succeed(io, ["edit", "--plugins", "release"]);
    expect(filesOf(io)).toEqual(before);
  });

  it.each(["autoupdate", "pull-request", "release", "test-chart"])(
    "writes %s.yml as recorded (TSOP_RECORD=1 rewrites it)",
    async (name) => {
      const io = await project();
      await main([...helm.slice(0, 2), `helm,${name}`, ...helm.slice(3)], io);
      const file = new URL(`recorded/${name}.yml`, import.meta.url);
      const text = io.disk.files.get(`/p/${folder}/${name}.yml`)!;
      if (process.env["TSOP_RECORD"] === "1") writeFileSync(file, text);
      expect(text).toBe(readFileSync(file, "utf8"));
    },
  );

  it("knows kubebuilder's name of a workflow", async () => {
    const io = await project();
    await succeed(io, ["edit", "--plugins", "autoupdate.kubebuilder.io/v1-alpha"]);
    expect(io.disk.files.has(`/p/${folder}/autoupdate.yml`)).toBe(true);
  });

  it("removes one, and keeps the others and what was edited", async () => {
    const io = await project();
    await main(["edit", "--plugins", "release,pull-request,autoupdate"], io);
    await edit(io, `${folder}/release.yml`, (text) => text.replace("ghcr.io", "quay.io"));
    await succeed(io, ["edit", "--plugins", "release,autoupdate", "--remove"]);
    expect(io.err()).toContain(`warning: ${folder}/release.yml was edited by hand and stays`);
    const left = [...io.disk.files.keys()].filter((path) => path.startsWith(`/p/${folder}`));
    expect(left.map((path) => path.split("/").at(-1))).toEqual(
      expect.arrayContaining(["pull-request.yml", "release.yml", "test.yml"]),
    );
    expect(left).not.toContain(`/p/${folder}/autoupdate.yml`);
    expect(io.disk.files.get("/p/PROJECT")).toContain("pull-request.tsop.dev/v1: {}\n  scorecard");
    await succeed(io, ["edit", "--plugins", "release", "--remove", "--force"]);
    expect(io.disk.files.has(`/p/${folder}/release.yml`)).toBe(false);
  });

  it("tests a chart only if there is one", async () => {
    const io = await project();
    expect(await main(["edit", "--plugins", "test-chart"], io)).toBe(2);
    expect(io.err()).toContain("test-chart needs the chart: tsop edit --plugins helm,test-chart");
    const both = [...helm.slice(0, 2), "helm,test-chart", ...helm.slice(3)];
    await succeed(io, [...both, "--dry-run"], both);
    expect(io.disk.files.get(`/p/${folder}/test-chart.yml`)).toContain("      IMG: minimal:test\n");
  });
});
