import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

// The requirements of a runtime, and the tests that prove them. Each proof names a test by its file and its title, or
// by the beginning of its title. Update this list when a title changes.
interface Proof {
  readonly file: string;
  readonly titles: readonly string[];
}

const proof = (file: string, ...titles: string[]): Proof => ({ file, titles });
const unit = (file: string, ...titles: string[]): Proof => proof(`unit/runtime/${file}.test.ts`, ...titles);
const suite = (file: string, ...titles: string[]): Proof => proof(`conformance/runtime/${file}.test.ts`, ...titles);
const queue = (...titles: string[]): Proof => unit("queue/priority-queue", ...titles);
const controller = (...titles: string[]): Proof => unit("controller/controller", ...titles);
const reflector = (...titles: string[]): Proof => unit("cache/reflector", ...titles);
const cache = (...titles: string[]): Proof => unit("cache/cache", ...titles);
const onServers = (...titles: string[]): Proof => suite("cache", ...titles);
const elector = (...titles: string[]): Proof => unit("leader-election/leader-elector", ...titles);
const election = (...titles: string[]): Proof => proof("e2e/leader-election.test.ts", ...titles);
const differential = suite("differential/differential", "behaves like the Go operator: %s");

const checklist: Readonly<Record<string, readonly Proof[]>> = {
  "queue: deduplication": [queue("keeps one entry per request")],
  "queue: a request added again during its reconcile": [queue("holds a request back while it is in progress")],
  "queue: the earliest delay wins": [queue("waits for a delay, and the earlier of two delays wins")],
  "queue: priorities are raised": [queue("raises the priority of an entry, to the end of its new priority")],
  "queue: first in, first out within each priority": [
    queue("returns higher priorities first, and equal ones in the order of arrival"),
  ],
  "queue: shutdown": [queue("ends all waits at shutdown")], // prettier-ignore
  "limiter: 5, 10, 20 ms up to 1000 s": [
    unit("queue/rate-limiter", "doubles from 5 ms up to 1000 s, separately for each item"),
  ],
  "limiter: forget": [queue("backs off 5, 10, 20 ms for a rate-limited request, and forgets")],
  "result: an error": [controller("that is an error repeats the request with growing delays")],
  "result: a terminal error": [controller("that is a terminal error is not retried, and is counted")],
  "result: requeueAfter": [controller("with requeueAfter repeats the request after that time each round, and resets the failures", "with a negative requeueAfter is a plain success")], // prettier-ignore
  "result: requeue": [controller("with requeue repeats the request with growing delays")],
  "result: nothing": [controller("that is empty ends the work", "that is undefined is a success too")],
  "reflector: streaming list": [reflector("reads the initial state from a stream")],
  "reflector: 422 falls back to a list": [
    reflector("falls back to a list in pages if the server does not support streaming"),
  ],
  "reflector: 410 as a status and as an event": [
    reflector("reads the whole state again if its version is too old (410 %s)"),
  ],
  "reflector: 429 with Retry-After": [reflector("the server is busy")],
  "reflector: a truncated line": [reflector("a line is truncated")],
  "reflector: half-open TCP": [reflector("abandons a stalled stream, and watches again", "abandons a stream that is silent"), suite("chaos/chaos", "a controller misses no state in the chaos")], // prettier-ignore
  "reflector: progress by bookmarks only": [reflector("advances by bookmarks alone")],
  "reflector: very short watches": [reflector("a watch ends immediately")],
  "reflector: versions that decrease": [
    reflector(
      "reads the whole state again if versions decrease",
      "asks a server that it could not reach for its version",
    ),
  ],
  "reflector: 50,000 objects under 256 MB": [
    suite("memory/memory", "a process that mirrors ${objects} pods stays below"),
  ],
  "reflector: a restart of the API server": [suite("chaos/chaos", "a controller misses no state in the chaos")],
  "cache: missed deletions": [
    unit("cache/informer", "reports missed changes after a relist"),
    onServers("reports deletions that happened while the watch was down"),
  ],
  "cache: a late index": [
    unit("cache/object-store", "builds a late index from the existing objects"),
    onServers("finds objects by indexes added before the start, in the same turn"),
  ],
  "cache: writes undone unseen": [unit("cache/informer", "reports a written object that was deleted before the watch")],
  "cache: several namespaces, cluster scope": [cache("watches each of its namespaces, and cluster-scoped kinds as a whole"), onServers("holds the objects of its namespaces only")], // prettier-ignore
  "cache: copies": [
    cache("returns copies with their type and without managed fields"),
    cache("shares its objects only with readers that request it"),
    onServers("returns copies, or one shared object to read-only callers"),
  ],
  "leader election: clocks that differ": [elector("does not depend on the other's clock")],
  "leader election: conflict": [elector("recovers after another client writes the lease")],
  "leader election: release": [
    elector("lets another candidate lead immediately when it releases the lease"),
    suite("differential/mixed-election", "$to.name takes over immediately when $from.name releases"),
  ],
  "leader election: a leader that loses the lease stops": [election("a leader that was frozen for too long stops without another write")], // prettier-ignore
  "leader election: a killed leader is replaced": [election("the other takes over after the leader is killed")],
  "leader election: timestamps with six digits": [
    suite("manager", "elects one leader, with a Lease that the server accepts, and hands over"),
  ],
  "leader election: Go and TypeScript together": [suite("differential/mixed-election", "$to.name takes over from $from.name")], // prettier-ignore
  "webhooks: the reviews of controller-runtime": [differential],
  "metrics: names, labels and buckets of a Go operator": [differential],
  "health: the bodies of a Go operator": [differential],
  "logs: the fields of a Go operator": [differential],
  "requests and objects of a Go operator": [differential],
  "envtest: the same variables": [proof("unit/testing/test-environment.test.ts", "KUBEBUILDER_ASSETS", "USE_EXISTING_CLUSTER")], // prettier-ignore
  "envtest: fifty starts and stops": [suite("environment", "$name leave nothing behind")],
  "soak: no final state is missed": [suite("chaos/chaos", "a controller misses no state in the chaos")],
};

/** Requirements that no test of this repository proves, and the reason. */
const unproven: Readonly<Record<string, string>> = {
  "soak: 24 hours": "npm run soak -- --minutes 1440 covers it; a test cannot take a day",
};

describe("the conformance checklist", () => {
  it.each(Object.entries(checklist))("%s", (_item, proofs) => {
    expect(proofs.length).toBeGreaterThan(0);
    for (const { file, titles } of proofs) {
      const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
      expect(titles.filter((title) => !text.includes(title))).toEqual([]);
    }
  });

  it.each(Object.entries(unproven))("omits %s", (_item, reason) => {
    expect(reason.length).toBeGreaterThan(20);
  });
});
