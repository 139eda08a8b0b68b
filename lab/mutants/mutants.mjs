// `npm run mutants -- [room …] [--each N] [--list]`: changes one place of a room that guards something, runs the tests
// that should notice, and prints for each change the test that noticed it, or that it survives. N mutants of a room are
// chosen by the hash of their text, so that the choice stays the same while other lines change. A test has noticed a
// mutant if it fails twice, or hangs. Exits with 1 if fewer than 95 % are noticed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { CopyOfProject } from "./copy-of-project.mjs";
import { equivalent } from "./equivalent.mjs";
import { findMutants } from "./find-mutants.mjs";
import { rooms } from "./rooms.mjs";

/** What a run without a mutant may take, and the shortest limit of those with one. */
const longestMs = 900_000;
const shortestLimitMs = 180_000;
const limits = new Map();
const leastNoticed = 0.95;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { each: { type: "string", default: "32" }, list: { type: "boolean", default: false } },
});

const chosenRooms = rooms.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const chosen = chosenRooms.flatMap((room) => choose(room).map((mutant) => ({ room, mutant })));
if (values.list) for (const { mutant } of chosen) console.log(describe(mutant));
else process.exitCode = await judge();

/** Runs the tests for each chosen mutant, two at a time. */
async function judge() {
  const copies = [];
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => {
      for (const copy of copies) copy.remove();
      process.exit(1);
    });
  copies.push(new CopyOfProject(), new CopyOfProject());
  try {
    await checkUnchanged(copies[0]);
    const pending = [...chosen];
    const survivors = [];
    await Promise.all(
      copies.map(async (copy) => {
        for (let next = pending.shift(); next; next = pending.shift()) {
          const noticed = await notice(copy, next);
          if (!noticed) survivors.push(next.mutant);
          console.log(`${noticed ? "noticed" : "survives"}: ${describe(next.mutant)}`);
          if (noticed) console.log(`  ${noticed.file ?? ""} ${noticed.title}`);
        }
      }),
    );
    const noticed = chosen.length - survivors.length;
    console.log(`${noticed} of ${chosen.length} mutants were noticed.`);
    return noticed / chosen.length < leastNoticed ? 1 : 0;
  } finally {
    for (const copy of copies) copy.remove();
  }
}

/** Fails if a test fails without any mutant: it would "notice" all of them. */
async function checkUnchanged(copy) {
  for (const { name, tests, built } of chosenRooms)
    for (const args of [...tests, ...built]) {
      const start = Date.now();
      const failed = await failTwice(copy, args);
      limits.set(args, Math.max(shortestLimitMs, 5 * (Date.now() - start)));
      if (failed) throw new Error(`a test of ${name} fails without a mutant: ${failed.file} ${failed.title}`);
    }
}

/** Returns the test that fails with the mutant, if one does. */
async function notice(copy, { room, mutant }) {
  const { path, original, mutated } = mutant;
  copy.write(path, mutated);
  try {
    for (const args of room.tests) {
      const failed = await failTwice(copy, args);
      if (failed) return failed;
    }
    if (room.built.length > 0) copy.build();
    for (const args of room.built) {
      const failed = await failTwice(copy, args);
      if (failed) return failed;
    }
    return undefined;
  } finally {
    copy.write(path, original);
  }
}

/** Returns the test that fails, and again if it runs alone: once may be the fault of a busy machine. */
async function failTwice(copy, args) {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const limitMs = limits.get(args) ?? longestMs;
    const failed = await copy.firstFailure(args, limitMs);
    if (!failed?.file) return failed;
    const project = args.slice(0, 2);
    const title = failed.test ? ["-t", failed.test.replaceAll(/[^\w\s]/g, ".")] : [];
    if (await copy.firstFailure([...project, failed.file, ...title], limitMs)) return failed;
    console.log(`fails only once: ${failed.file} ${failed.title}`);
  }
  return undefined;
}

function choose({ sources }) {
  const listed = execFileSync("git", ["ls-files", ...sources], { encoding: "utf8" });
  const paths = listed.split("\n").filter((path) => path.endsWith(".ts"));
  const hash = (mutant) => createHash("sha256").update(describe(mutant, "")).digest("hex");
  return paths
    .flatMap(findMutants)
    .filter((mutant) => !equivalent.some(({ path, became }) => path === mutant.path && became === mutant.became))
    .map((mutant) => ({ ...mutant, hash: hash(mutant) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .slice(0, Number(values.each));
}

function describe({ path, line, became, number }, place = `:${number}`) {
  return `${path}${place}\n  - ${line}\n  + ${became}`;
}
