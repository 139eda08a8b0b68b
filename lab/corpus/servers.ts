import { parseArgs } from "node:util";
import { acceptedDifferences } from "./accepted-differences.ts";
import { compareDefinition, compareResources, type Comparison } from "./compare-subjects.ts";
import { readCorpus, type Subject } from "./read-corpus.ts";
import { ServerPair } from "./server-pair.ts";
import { Tally } from "./tally.ts";

/** A real server slows down with each kind that it serves, so it is restarted after this number of kinds. */
const batch = 80;
const atOnce = 10;

const options = {
  only: { type: "string" },
  kinds: { type: "string", default: "100000" },
  each: { type: "string", default: "25" },
  variants: { type: "string", default: "1" },
  seed: { type: "string", default: "1" },
  details: { type: "string" },
} as const;

/** Compares both servers; returns the exit code. */
export async function compareServers(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const folder = positionals[0] ?? process.env["TSOP_CORPUS"];
  const assets = process.env["KUBEBUILDER_ASSETS"];
  if (!folder || !assets) {
    console.error("a folder with a corpus and KUBEBUILDER_ASSETS are needed");
    return 2;
  }
  const each = Number(values.each);
  const all = readCorpus(folder).map(({ crd, resources }) => ({ crd, resources: spread(resources, each) }));
  const chosen = all.filter(({ crd }) => crd.metadata.name.includes(values.only ?? ""));
  // Kinds with samples reveal most.
  const subjects = chosen.toSorted((a, b) => b.resources.length - a.resources.length).slice(0, Number(values.kinds));
  const tally = new Tally(acceptedDifferences, values.details);
  for (let start = 0; start < subjects.length; start += batch) {
    const servers = await ServerPair.start(assets);
    try {
      const comparison = { servers, tally, variants: Number(values.variants), seed: Number(values.seed) };
      await compareBatch(comparison, subjects.slice(start, start + batch));
    } finally {
      await servers.stop();
    }
    console.log(`${Math.min(start + batch, subjects.length)} of ${subjects.length} kinds`);
  }
  return tally.report(values.only === undefined && values.kinds === options.kinds.default) ? 0 : 1;
}

async function compareBatch(comparison: Comparison, subjects: readonly Subject[]): Promise<void> {
  const served: Subject[] = [];
  await inParallel(subjects, async (subject) => {
    if (await compareDefinition(comparison, subject)) served.push(subject);
  });
  await inParallel(served, (subject) => compareResources(comparison, subject));
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Returns at most `count` items, from the whole length of the list. */
function spread<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, at) => items[Math.floor(at * step)]);
}
