// The cost of generating as a whole process from a cold start: for 4 and for 40 kinds, compared with `node -e 0` and
// with controller-gen on the same kinds in Go, if Go, its modules and controller-gen are installed. CPU is user and
// system time together; it is steadier than wall-clock time on a busy machine.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureRun, mustRun } from "./measure-run.mjs";
import { printTimes } from "./print-times.mjs";
import { median } from "./statistics.mjs";

const tsop = fileURLToPath(new URL("../../bin/tsop.js", import.meta.url));
const twins = fileURLToPath(new URL("../../test/unit/codegen/differential/cases/", import.meta.url));
const rounds = 21;

/** Prints the numbers; `folder` is a temporary one. */
export function benchGenerators({ folder }) {
  const four = projectOf(join(folder, "four-kinds"), 4);
  const forty = projectOf(join(folder, "forty-kinds"), 40);
  const node = (...args) => [process.execPath, ...args];
  const runs = {
    "node -e 0": [folder, node("-e", "0")],
    "generate manifests, 4 kinds": [four, node(tsop, "generate", "manifests")],
    "generate code, 4 kinds": [four, node(tsop, "generate", "code")],
    "generate manifests, 40 kinds": [forty, node(tsop, "generate", "manifests")],
    "generate code, 40 kinds": [forty, node(tsop, "generate", "code")],
  };
  const generator = ["controller-gen", "object", "crd", "rbac:roleName=manager-role", "webhook", "paths=./..."];
  if (spawnSync("controller-gen", ["--version"]).status === 0 && spawnSync("go", ["version"]).status === 0) {
    runs["controller-gen, 4 kinds"] = [goModuleOf(join(folder, "four-go"), 4), generator];
    runs["controller-gen, 40 kinds"] = [goModuleOf(join(folder, "forty-go"), 40), generator];
  }
  const measured = new Map(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, [cwd, command]] of Object.entries(runs)) {
      const found = measure(cwd, command);
      // The first round fills caches, including Go's compiler cache.
      if (found && round > 0) measured.get(name).push(found);
    }
  const complete = [...measured].filter(([, list]) => list.length === rounds);
  console.log("");
  printTimes("generators", new Map(complete.map(([name, list]) => [name, list.map(({ wall }) => wall)])));
  for (const [name, list] of complete) {
    const { cpu, memory } = mediansOf(list);
    const size = memory ? `, ${memory.toFixed(0)} MB` : "";
    console.log(`${name.padEnd(44)} ${cpu.toFixed(0)} ms of CPU (user and system)${size}`);
  }
  const saves = benchWatch(four);
  const [fastest, middle, slowest] = [0, saves.length >> 1, saves.length - 1].map((at) => saves[at].toFixed(0));
  console.log(`generate manifests --watch, 4 kinds: save to manifest in ${middle} ms (${fastest} to ${slowest})`);
}

/**
 * Measures the time from a save to the updated manifest in ms. Each round saves once the file of the previous round
 * exists.
 */
function benchWatch(project) {
  const [kind] = kinds(1);
  const types = join(project, `api/v1alpha1/${kind.toLowerCase()}_types.ts`);
  const manifest = join(project, `config/crd/bases/cache.example.com_${kind.toLowerCase()}s.yaml`);
  const text = readFileSync(types, "utf8");
  const save = (round) =>
    writeFileSync(types, text.replace(/^export interface \w+Spec \{/m, `$&\n  round${round}?: string;`));
  rmSync(manifest);
  const child = spawn(process.execPath, [tsop, "generate", "manifests", "--watch"], { cwd: project, stdio: "ignore" });
  try {
    until(() => existsSync(manifest));
    const times = Array.from({ length: 2 * rounds + 1 }, (_, round) => {
      const begin = performance.now();
      save(round);
      until(() => readFileSync(manifest, "utf8").includes(`round${round}:`));
      return performance.now() - begin;
    });
    return times.toSorted((a, b) => a - b);
  } finally {
    child.kill();
  }
}

/** Polls every millisecond. */
function until(isSo) {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  for (const deadline = performance.now() + 20_000; !isSo(); Atomics.wait(nobody, 0, 0, 1))
    if (performance.now() > deadline) throw new Error("tsop generate --watch wrote nothing for 20 s");
}

/** Creates a project with as many kinds, and their manifests. */
export function projectOf(project, count) {
  mkdirSync(project);
  mustRun(project, [process.execPath, tsop, "init", "--domain", "example.com", "--tsop", "^0.1.0", "--skip-install"]);
  for (const kind of kinds(count))
    mustRun(project, [process.execPath, tsop, "create", "api", "--group", "cache", "--kind", kind]);
  mustRun(project, [process.execPath, tsop, "generate", "manifests"]);
  return project;
}

function kinds(count) {
  return Array.from({ length: count }, (_, index) => `Cache${String.fromCharCode(65 + (index % 26))}${index}`);
}

/** Creates a Go module with the same kinds as kubebuilder scaffolds them. */
function goModuleOf(module, count) {
  mkdirSync(join(module, "api/v1alpha1"), { recursive: true });
  for (const file of ["go.mod", "go.sum"]) cpSync(join(twins, file), join(module, file));
  const head = "// +kubebuilder:object:generate=true\n// +groupName=cache.example.com\npackage v1alpha1\n";
  writeFileSync(join(module, "api/v1alpha1/doc.go"), head);
  for (const kind of kinds(count))
    writeFileSync(join(module, `api/v1alpha1/${kind.toLowerCase()}_types.go`), goTypes(kind));
  return module;
}

const goTypes = (kind) => `package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// ${kind}Spec defines the desired state of ${kind}
type ${kind}Spec struct {
	// foo is an example field of ${kind}. Edit ${kind.toLowerCase()}_types.go to remove/update
	// +optional
	Foo *string \`json:"foo,omitempty"\`
}

// ${kind}Status defines the observed state of ${kind}.
type ${kind}Status struct {
	// conditions represent the current state of the ${kind} resource.
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition \`json:"conditions,omitempty"\`
}

// +kubebuilder:rbac:groups=cache.example.com,resources=${kind.toLowerCase()}s,verbs=get;list;watch
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

// ${kind} is the Schema for the ${kind.toLowerCase()}s API
type ${kind} struct {
	metav1.TypeMeta \`json:",inline"\`
	// +optional
	metav1.ObjectMeta \`json:"metadata,omitempty"\`
	// +required
	Spec ${kind}Spec \`json:"spec"\`
	// +optional
	Status ${kind}Status \`json:"status,omitempty"\`
}

// +kubebuilder:object:root=true

// ${kind}List contains a list of ${kind}
type ${kind}List struct {
	metav1.TypeMeta \`json:",inline"\`
	metav1.ListMeta \`json:"metadata,omitempty"\`
	Items []${kind} \`json:"items"\`
}
`;

const reportPeak = fileURLToPath(new URL("report-peak.mjs", import.meta.url));

/** Measures wall-clock time, CPU and, for Node processes, the peak memory in MB. */
export function measure(cwd, command) {
  const [program, ...args] = command;
  const { failure, ...times } = measureRun(command, { cwd });
  if (failure) {
    console.log(`  ${failure}`);
    return undefined;
  }
  return { ...times, memory: program === process.execPath ? peakOf(cwd, args) : 0 };
}

/** Uses a run of its own, because measuring memory takes time. */
function peakOf(cwd, args) {
  const { stderr } = spawnSync(process.execPath, ["--import", reportPeak, ...args], { cwd, encoding: "utf8" });
  return Number(/peak ([\d.]+)/.exec(stderr)?.[1] ?? 0);
}

function mediansOf(list) {
  const medianOf = (key) => median(list.map((each) => each[key]));
  return { wall: medianOf("wall"), cpu: medianOf("cpu"), memory: medianOf("memory") };
}
