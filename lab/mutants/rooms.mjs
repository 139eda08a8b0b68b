/**
 * The rooms that guard something, and the tests that should notice each change of them. `quick` are the arguments of
 * Vitest for tests of seconds; `slow` are those of slower tests, which see only what the quick ones let through.
 */
export const rooms = [
  {
    name: "access",
    sources: ["src/apiserver/access"],
    quick: ["--project", "unit", "test/unit/apiserver", "test/unit/testing"],
    slow: [conformance("access|role|authoriz|token|impersonat|anonymous|decision|bind|escalat|certificate|user")],
  },
  {
    name: "admission",
    sources: ["src/apiserver/admission"],
    quick: ["--project", "unit", "test/unit/apiserver"],
    slow: [conformance("admission|polic|quota|limit|pod-security|webhook|mutat|binding")],
  },
  {
    name: "fence",
    sources: ["src/runtime/leader-election", "src/runtime/sharding", "src/client/transport"],
    quick: ["--project", "unit", "test/unit/runtime/leader-election", "test/unit/runtime/sharding", "test/unit/client"],
    slow: [
      ["--project", "unit", "--project", "hostile", "test/unit/runtime/manager", "lab/sharding", "test/hostile/fence"],
    ],
  },
  {
    name: "connections",
    sources: ["src/client/connections"],
    quick: ["--project", "unit", "test/unit/client"],
    slow: [
      [
        "--project",
        "hostile",
        "--project",
        "unit",
        "test/hostile/responses",
        "test/hostile/streams",
        "test/unit/apiserver",
      ],
    ],
  },
  {
    name: "files",
    sources: ["src/files"],
    quick: ["--project", "unit", "test/unit/files", "test/unit/olm/registry"],
    slow: [["--project", "unit", "test/unit/scaffold", "test/unit/cli", "test/unit/project"]],
  },
  {
    name: "registry",
    sources: ["src/olm/registry"],
    quick: ["--project", "unit", "test/unit/olm/registry"],
    slow: [["--project", "unit", "test/unit/olm"]],
  },
  {
    name: "oracles",
    sources: ["src/check/oracles"],
    quick: ["--project", "unit", "test/unit/check"],
    slow: [["--project", "check", "test/check/ground-truth.test.ts"]],
  },
];

/** Returns arguments of Vitest for the scenarios of the conformance suite whose names match. */
function conformance(names) {
  return ["--project", "conformance", "test/conformance/apiserver/conformance.test.ts", "-t", names];
}
