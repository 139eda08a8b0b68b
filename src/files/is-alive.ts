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

/** Reports whether a process has ended without being reaped, as in containers without an init. It holds no lock. */
function isZombie(pid: number): boolean {
  return statusFields(pid)[0] === "Z";
}

/**
 * Returns when a process started, in ticks since the boot. A PID alone is not enough: another process may have it by
 * now, as after the restart of a container, which counts from 1 again. Returns an empty text if the system does not
 * say.
 */
export function startTimeOf(pid: number): string {
  return statusFields(pid)[19] ?? "";
}

/** The fields of a process's status on Linux, from its state on. The name before them may contain anything. */
function statusFields(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return []; // not Linux, or the process has just ended
  }
}
