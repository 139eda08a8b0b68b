/**
 * The rooms that guard something, and the tests that should notice each change of them: arguments of Vitest, the nearest
 * tests first, as each run sees only what those before it let through. `built` are tests that run the built tool.
 */
export const rooms = [
  {
    name: "access",
    sources: ["src/apiserver/access"],
    tests: [
      unit(
        "apiserver/authorization",
        "apiserver/accounts-of-pods",
        "apiserver/certificate-problem",
        "apiserver/server-options",
      ),
      conformance("access|role|authoriz|token|impersonat|anonymous|decision|bind|escalat|certificate|user"),
      unit("apiserver", "testing"),
    ],
    built: [],
  },
  {
    name: "admission",
    sources: ["src/apiserver/admission"],
    tests: [
      unit("apiserver/admission", "apiserver/pod-security", "apiserver/parallel-writes"),
      conformance("admission|polic|quota|limit|pod-security|webhook|mutat|binding"),
      unit("apiserver"),
    ],
    built: [],
  },
  {
    name: "fence",
    sources: ["src/runtime/leader-election", "src/runtime/sharding", "src/client/transport"],
    tests: [
      unit("runtime/leader-election", "runtime/sharding", "client/transport"),
      unit("client", "runtime/cache"),
      unit("runtime/manager"),
    ],
    built: [["--project", "hostile", "test/hostile/fence"]],
  },
  {
    name: "connections",
    sources: ["src/client/connections"],
    tests: [unit("client/connections"), unit("client"), unit("apiserver")],
    built: [["--project", "hostile", "test/hostile/responses", "test/hostile/streams"]],
  },
  {
    name: "files",
    sources: ["src/files"],
    tests: [unit("files"), unit("olm/registry", "project")],
    built: [unit("cli")],
  },
  {
    name: "registry",
    sources: ["src/olm/registry"],
    tests: [unit("olm/registry"), unit("olm/catalog", "olm/digests", "olm/validate", "cli/confirm-bundle")],
    built: [],
  },
  {
    name: "oracles",
    sources: ["src/check/oracles"],
    tests: [unit("check")],
    built: [["--project", "check", "test/check/ground-truth.test.ts"]],
  },
];

function unit(...paths) {
  return ["--project", "unit", ...paths.map((path) => `test/unit/${path}`)];
}

/** The scenarios of the conformance suite whose names match. */
function conformance(names) {
  return ["--project", "conformance", "test/conformance/apiserver/conformance.test.ts", "-t", names];
}
