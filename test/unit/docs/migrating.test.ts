import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

// Readers who come from elsewhere look names up in the tables of these pages: every name in their right column must exist.

const root = new URL("../../../", import.meta.url);
const tables = {
  "docs/migrating-from-go.md": ["Types", "main", "Controllers", "Client", "Webhooks and tests"],
  "docs/migrating-from-python-and-java.md": ["kopf", "Java Operator SDK"],
};
const pages = Object.entries(tables);
const sections = pages.flatMap(([page, titles]) => titles.map((title) => [page, title] as const));
const texts = new Map(await Promise.all(pages.map(async ([page]) => [page, await text(page)] as const)));

/** Names that the examples of the tables declare, and those of the language. */
const own = new Set([
  "number",
  "Foo",
  "FooReconciler",
  "Memcached",
  "Certificate",
  "Region",
  "FooSpec",
  "Port",
  "Gcs",
  "Base",
  "Hub",
  "Promise",
  "Record",
  "Map",
  "Buffer",
  "Date",
  "reconcile",
]);
/** The objects that the tables call, and their declarations. */
const receivers: Readonly<Record<string, readonly string[]>> = {
  mgr: ["src/runtime/manager/manager.ts", "src/runtime/manager/cluster.ts"],
  client: ["src/client/client.ts"],
  ctx: ["src/runtime/controller/reconciler.ts", "src/runtime/webhook/admission.ts"],
  recorder: ["src/runtime/event-recorder/core-event-recorder.ts", "src/runtime/event-recorder/event-recorder.ts"],
  env: ["src/testing/test-environment.ts"],
};
/** Rows about the builder show only the call. */
const builderMethods = new Set(["withEventFilter", "withOptions", "watches", "watchesSource"]);

const allSpans = sections.flatMap(([page, title]) => spansOf(page, title));

const exported = new Set([
  ...namesFrom(await text("src/index.ts")),
  ...namesFrom(await text("src/testing/index.ts")),
  ...namesFrom(await text("src/yaml.ts")),
  ...declaredIn(await text("src/k8s/core/v1.ts")),
  ...declaredIn(await text("src/k8s/apps/v1.ts")),
  ...declaredIn(await text("src/k8s/rbac/v1.ts")),
]);

it.each(sections)("the table of %s, %s, names existing exports", (page, title) => {
  const names = spansOf(page, title).flatMap(exportsIn);
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((name) => !exported.has(name) && !own.has(name))).toEqual([]);
});

it.each(Object.keys(receivers))("the tables call existing methods of %s", async (receiver) => {
  const declared = (await Promise.all(receivers[receiver]!.map(text))).join("\n");
  const code = allSpans.join("\n");
  const members = [...code.matchAll(new RegExp(`(?<![\\w.])${receiver}\\.(\\w+)`, "g"))].map(([, name = ""]) => name);
  expect(members.length).toBeGreaterThan(0);
  expect(members.filter((name) => !isMember(name, declared))).toEqual([]);
});

it.each(["for", "owns", "complete", ...builderMethods])(
  "the tables call the existing method %s of the builder",
  async (method) => {
    expect(allSpans.join("\n")).toMatch(new RegExp(`(^|[.\\s])${method}\\(`, "m"));
    expect(
      isMember(
        method,
        (await text("src/runtime/builders/builder.ts")) +
          (await text("src/runtime/builders/typed-controller-builder.ts")),
      ),
    ).toBe(true);
  },
);

/** Returns the code of the right column. */
function spansOf(page: string, title: string): string[] {
  const section = (texts.get(page) ?? "").split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? "";
  return section.split("\n").flatMap((line) => {
    // The bar of a union is escaped.
    const cells = line.split(/(?<!\\)\|/);
    return [...(cells[2] ?? "").matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  });
}

/** Returns types, called or standalone functions, and classes; not names after a dot, and not strings. */
function exportsIn(span: string): string[] {
  if (/^[+:]/.test(span)) return []; // a marker
  const bare = span.replace(/"[^"]*"/g, '""');
  if (/^[a-z]\w+$/i.test(bare) && !isWord(bare)) return [bare];
  const called = bare.matchAll(/(?<![\w.])([a-z]\w*)\(/g);
  const types = bare.matchAll(/(?<![\w./-])([A-Z][a-z]\w*)\b/g);
  return [...called, ...types].map(([, name]) => name!).filter((name) => !builderMethods.has(name));
}

function isWord(span: string): boolean {
  return /^(boolean|string|tsop|describe|it|throw|try|catch|if|req|requeueAfter|status|lastTransitionTime|WATCH_NAMESPACE)$/.test(
    span,
  );
}

function isMember(name: string, declared: string): boolean {
  return new RegExp(`^ +(?:readonly |get |async )*${name}\\??[(:<]`, "m").test(declared);
}

function namesFrom(source: string): string[] {
  return [...source.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((each) => each.trim().replace(/^type /, ""))
      .map((each) => each.split(" as ").at(-1)!)
      .filter(Boolean),
  );
}

function declaredIn(source: string): string[] {
  return [...source.matchAll(/^export (?:interface|const) (\w+)/gm)].map(([, name = ""]) => name);
}

async function text(path: string): Promise<string> {
  return readFile(fileURLToPath(new URL(path, root)), "utf8");
}
