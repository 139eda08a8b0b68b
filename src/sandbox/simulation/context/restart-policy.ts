import type { Container, Pod } from "./simulated-kinds.ts";

/** Reports whether a container of a pod is started again when it has ended. Init containers need not stay. */
export function startsAgain({ spec }: Pod, container: string, exitCode: number): boolean {
  const { restartPolicy = "Always", initContainers = [] } = spec;
  if (restartPolicy === "Never") return false;
  const stays = restartPolicy === "Always" && !initContainers.some(({ name }) => name === container);
  return stays || exitCode !== 0;
}

/** Reports whether a pod ends when its containers do. */
export function runsToCompletion({ spec: { restartPolicy = "Always" } }: Pod): boolean {
  return restartPolicy !== "Always";
}

/** Reports whether an init container runs alongside the others. */
export function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}

/** The kubelet waits this long for the second start in succession, twice as long for each one after it, up to 5 minutes. */
const firstBackOff = 10;
const longestBackOff = 300;
/** A container that has run for this long starts over. */
const longRunMs = 600_000;

/** Counts the ends of a container in succession, without a long run between them. */
export function endsAfter(ends: number, ranMs: number): number {
  return ranMs >= longRunMs ? 1 : ends + 1;
}

/** Returns the seconds for which a container that has ended so often waits for its next start; none for the first. */
export function backOffAfter(ends: number): number | undefined {
  return ends > 1 ? Math.min(firstBackOff * 2 ** (ends - 2), longestBackOff) : undefined;
}

/** Returns the milliseconds until a container starts again: the kubelet needs a moment also without a back-off. */
export function restartDelayMs(backOff: number | undefined): number {
  return (backOff ?? 1) * 1000;
}
