import type { HeapSpaceInfo } from "node:v8";
import { betweenTurns } from "../next-turn.ts";

/** The processor time in microseconds from which on V8 optimizes. A whole second makes large bursts slower. */
const unoptimized = 300_000;
/** The interval, in milliseconds, of checks in a program that has no loops over many objects. */
const checkInterval = 1_000;
/** With less, V8 takes the short-lived objects of a burst for old ones, which pile up. */
const enoughForNewObjects = 8 * 1024 * 1024;
let tuned = false;

type SetFlag = (flag: string) => void;

/**
 * Fits V8 to an operator, which does a lot in its first seconds and little afterwards. Called once everything is loaded,
 * because V8 rejects the compiled code that Node has kept under other settings.
 */
export async function tuneV8(): Promise<void> {
  if (tuned) return;
  tuned = true;
  const { getHeapSpaceStatistics, setFlagsFromString } = await import("node:v8");
  // Node 20 optimizes most functions within the first thousand reconciles, which takes longer than it saves there. This
  // is four times its threshold, and about that of later versions, which have no such flag.
  if (process.version.startsWith("v20.")) setFlagsFromString("--interrupt-budget=270336");
  optimizeLater(setFlagsFromString);
  growWithHeap(setFlagsFromString, getHeapSpaceStatistics);
}

/** The optimizing compilers are a good part of a small operator's memory, and its start is over before they pay. */
function optimizeLater(setFlag: SetFlag): void {
  const compilers = optimizingCompilers();
  if (compilers.length === 0) return;
  for (const compiler of compilers) setFlag(`--no-${compiler}`);
  const check = (): void => {
    const { user, system } = process.cpuUsage();
    if (user + system < unoptimized) return;
    clearInterval(timer);
    stop();
    for (const compiler of compilers) setFlag(`--${compiler}`);
  };
  const timer = setInterval(check, checkInterval).unref();
  const stop = betweenTurns(check);
}

/** Returns the compilers of this program, by their flags. V8 ends a program that turns on one that it does not have. */
function optimizingCompilers(): readonly string[] {
  const { arch, execArgv, versions } = process;
  // Without a just-in-time compiler, V8 has no WebAssembly.
  if (!("WebAssembly" in globalThis) || execArgv.some((flag) => /opt|turbofan|maglev/.test(flag))) return [];
  const hasMaglev = Number.parseInt(versions.node) >= 24 && ["x64", "arm64"].includes(arch);
  return hasMaglev ? ["turbofan", "maglev"] : ["turbofan"];
}

/**
 * While a cache fills, V8 would enlarge the space for new objects to 32 MB, or 64 on Node 24, and never shrink it. Here
 * it grows only while it is smaller than a third of the old objects.
 */
function growWithHeap(setFlag: SetFlag, statistics: () => HeapSpaceInfo[]): void {
  let grows = true;
  const stop = betweenTurns(() => {
    const spaces = statistics();
    const newSpace = spaces.find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;
    const kept = spaces.find(({ space_name: name }) => name === "old_space")?.space_used_size ?? 0;
    if (newSpace >= enoughForNewObjects) stop();
    const mayGrow = newSpace < Math.min(enoughForNewObjects, kept / 3);
    if (mayGrow === grows) return;
    grows = mayGrow;
    setFlag(`--semi-space-growth-factor=${grows ? 2 : 1}`);
  });
}
