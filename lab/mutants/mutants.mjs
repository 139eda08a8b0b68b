// `npm run mutants -- [room …] [--each N] [--list]`: changes one place of a room that guards something, runs the tests
// that should notice, and prints the changes that no test noticed. N mutants of a room are chosen by the hash of their
// text, so that the choice stays the same while other lines change. Exits with 1 if fewer than 95 % are noticed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { CopyOfProject } from "./copy-of-project.mjs";
import { equivalent } from "./equivalent.mjs";
import { findMutants } from "./find-mutants.mjs";
import { rooms } from "./rooms.mjs";

const limitMs = 600_000;
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
          if (await isNoticed(copy, next)) continue;
          survivors.push(next.mutant);
          console.log(`survives: ${describe(next.mutant)}`);
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
  for (const { name, quick, slow } of chosenRooms)
    for (const args of [quick, ...slow])
      if (!(await copy.passes(args, limitMs)))
        throw new Error(`the tests of ${name} fail without a mutant: ${args.join(" ")}`);
}

async function isNoticed(copy, { room, mutant }) {
  const { path, original, mutated } = mutant;
  copy.write(path, mutated);
  try {
    if (!(await copy.passes(room.quick, limitMs))) return true;
    // The slower tests start programs, which run what is built.
    copy.build();
    for (const args of room.slow) if (!(await copy.passes(args, limitMs))) return true;
    return false;
  } finally {
    copy.write(path, original);
  }
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
