import { CommanderError, type Command } from "commander";
import { DiagnosticsError } from "../errors/diagnostic.ts";
import { TsopError, UsageError } from "../errors/tsop-error.ts";
import type { Io } from "./io.ts";
import { createProgram } from "./program.ts";
import { problemText } from "./terminal/texts.ts";

/** Runs a command line and returns its exit code. Errors are caught and printed here and nowhere below. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    requireNode(io.nodeVersion);
    const words = withoutSynonyms(argv);
    const program = await createProgram(io, words);
    await program.parseAsync(upToUnknown(words, program), { from: "user" });
    return 0;
  } catch (error) {
    const code = await report(error, io);
    // With these commands, 2 means that there is something to see.
    return reporting.has(argv[0] ?? "") && code === 2 && !isReported(error) ? 1 : code;
  }
}

const reporting = new Set(["plan", "roles"]);

function isReported(error: unknown): boolean {
  return error instanceof TsopError && (error.code === "TSOP_PLAN_CHANGES" || error.code === "TSOP_ROLES_DIFFER");
}

/** Replaces `--version` and `help create api`; commander's own help command ignores the second word. */
function withoutSynonyms(argv: readonly string[]): readonly string[] {
  const [first = "", ...rest] = argv;
  if (first === "--version" || first === "-v") return ["version"];
  return first === "help" && rest.length > 0 ? [...rest, "--help"] : argv;
}

/** Cuts the words after an unknown command: with a --help, commander would show help and succeed. */
function upToUnknown(words: readonly string[], program: Command): readonly string[] {
  let command = program;
  for (const [index, word] of words.entries()) {
    if (word.startsWith("-") || word === "help" || command.commands.length === 0) break;
    const next = command.commands.find((each) => each.name() === word);
    if (!next) return words.slice(0, index + 1);
    command = next;
  }
  return words;
}

/** Compares versions by hand: the first use of a collator takes longer than everything else here. */
function requireNode(found: string): void {
  const [major = 0, minor = 0] = found.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) throw new TsopError("TSOP_NODE_TOO_OLD", { needed: "20.19", found });
}

async function report(error: unknown, io: Io): Promise<number> {
  const print = (text: string): void => io.stderr.write(`${text}\n`);
  // The report has said everything.
  if (isReported(error)) return 2;
  if (error instanceof TsopError) {
    if (error.code === "TSOP_INTERRUPTED") {
      print(error.message);
      return 130;
    }
    print(problemText(error));
    return interruptions.has(error.code) ? 130 : 1;
  }
  if (error instanceof DiagnosticsError) {
    const errors = error.diagnostics.filter(({ severity }) => severity === "error").length;
    print(`${error.message}\n${errors} ${errors === 1 ? "error" : "errors"}`);
    return 1;
  }
  if (error instanceof CommanderError) return reportUsage(error, io);
  if (error instanceof UsageError) {
    print(`error: ${error.message}\n(run with --help for usage)`);
    return 2;
  }
  const { isApiError } = await import("../apimachinery/status.ts");
  if (isApiError(error)) {
    const { serverRefusal } = await import("./terminal/server-refusal.ts");
    return report(serverRefusal(error), io);
  }
  // A failure after Ctrl-C is no bug: an aborted request, or a program that got the signal of the terminal, too.
  if (io.signal.aborted) return report(new TsopError("TSOP_INTERRUPTED", {}, { cause: error }), io);
  // Too many watched folders have the same code.
  if (error instanceof Error && /^(ENOSPC: no space|EDQUOT)/.test(error.message))
    return report(new TsopError("TSOP_DISK_FULL", { reason: error.message }, { cause: error }), io);
  if (error instanceof Error && error.message.startsWith("Cannot find native binding")) {
    const system = `${process.platform}-${process.arch}`;
    return report(new TsopError("TSOP_PARSER_MISSING", { system }, { cause: error }), io);
  }
  print(error instanceof Error ? (error.stack ?? error.message) : String(error));
  print(`\nThis is a bug in tsop (Node ${io.nodeVersion}). Please report it with the lines above.`);
  return 70;
}

/** The errors of a command that Ctrl-C ended, and that has more to say than that. */
const interruptions = new Set<string>(["TSOP_INSTALL_INTERRUPTED", "TSOP_CHECK_INTERRUPTED"]);

/** Requested help is a success; help in place of a missing subcommand is not. */
function reportUsage(error: CommanderError, io: Io): number {
  if (error.exitCode === 0) return 0;
  const advice = advices.find(([part]) => error.message.includes(part))?.[1] ?? "run with --help for usage";
  if (error.code !== "commander.help") io.stderr.write(`${error.message}\n(${advice})\n`);
  return 2;
}

/** Parts of messages, and the hint instead of the one to read the help. */
const advices: readonly (readonly [part: string, advice: string])[] = [
  // operator-sdk has this flag for every command.
  [
    "unknown option '--verbose'",
    "omit it: tsop prints what it does; for more of the operator's log, tsop run --local -- --zap-log-level=debug",
  ],
  // Other tools make the folder that they are given.
  [
    "too many arguments for 'init'",
    "init works in the current folder: mkdir my-operator && cd my-operator && tsop init --domain example.com",
  ],
];
