import { readFileSync } from "node:fs";

/** Reports whether a process exists, of this user or of another one. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Returns when a process began, in ticks of the machine, which tells it from a later one of the same PID; else "". */
export function startOf(pid: number): string {
  return statOf(pid)[19] ?? "";
}

/** Reports whether a process has ended without being reaped, as in containers without an init. It holds no lock. */
function isZombie(pid: number): boolean {
  return statOf(pid)[0] === "Z";
}

/** Returns the fields of /proc/PID/stat after the name. */
function statOf(pid: number): string[] {
  try {
    const [, fields = ""] = /.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) ?? [];
    return fields.split(" ");
  } catch {
    return []; // not Linux, or the process has just ended
  }
}
