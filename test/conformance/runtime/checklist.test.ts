import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

// What a runtime has to get right, and the tests that prove it. Each test is named by its file and its title, or by the
// beginning of its title; who renames one meets it here.
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
const differential = suite("differential/differential", "does as the Go operator: %s");

const checklist: Readonly<Record<string, readonly Proof[]>> = {
  "queue: deduplication": [queue("keeps one entry a request")],
  "queue: added again while it is worked on": [queue("holds a request back while it is worked on")],
  "queue: the earliest delay wins": [queue("waits for a delay, and the earlier of two delays wins")],
  "queue: priorities are raised": [queue("raises the priority of an entry, to the end of its new class")],
  "queue: first in, first out in each class": [queue("hands out higher priorities first, and equal ones in the order")],
  "queue: shutdown": [queue("ends all waits at shutdown"), unit("queue/classic-queue", "hands out what is due when it is shut down")], // prettier-ignore
  "limiter: 5, 10, 20 ms up to 1000 s": [unit("queue/rate-limiter", "doubles from 5 ms up to 1000 s")],
  "limiter: forget": [queue("backs off 5, 10, 20 ms for a rate-limited request, and forgets")],
  "result: an error": [controller("that is an error comes back with growing waits")],
  "result: a terminal error": [controller("that is a terminal error does not come back, and is counted")],
  "result: requeueAfter": [controller("with requeueAfter comes back after that time", "with a negative requeueAfter is a plain success")], // prettier-ignore
  "result: requeue": [controller("with requeue comes back with growing waits")],
  "result: nothing": [controller("that is empty ends the matter", "that is nothing at all is a success too")],
  "reflector: streaming list": [reflector("takes the initial state as a stream")],
  "reflector: 422 falls back to a list": [reflector("falls back to a list in pages when the server can't stream")],
  "reflector: 410 by status and by event": [
    reflector("takes the whole state again when its version is too old (410 %s)"),
  ],
  "reflector: 429 with Retry-After": [reflector("the server is busy")],
  "reflector: a truncated line": [reflector("a line is truncated")],
  "reflector: half-open TCP": [reflector("gives up a stream that has died without a word"), suite("chaos/chaos", "a controller misses nothing in the chaos")], // prettier-ignore
  "reflector: progress by bookmarks only": [reflector("moves on by bookmarks alone")],
  "reflector: very short watches": [reflector("a watch ends at once without an event")],
  "reflector: versions that go back": [reflector("takes the whole state again when versions go back")],
  "reflector: 50,000 objects under 256 MB": [
    suite("memory/memory", "a process that mirrors ${objects} pods takes less than"),
  ],
  "reflector: the API server begins again": [suite("chaos/chaos", "a controller misses nothing in the chaos")],
  "cache: deletions that were missed": [
    unit("cache/informer", "finds out about missed changes when it lists again"),
    onServers("tells of deletions that it has slept through"),
  ],
  "cache: an index that comes late": [
    unit("cache/store", "indexes what is there already when an index comes late"),
    onServers("finds by indexes from before the start, of the same turn"),
  ],
  "cache: writes that were undone unseen": [
    unit("cache/informer", "tells of what this program has written when it was gone"),
  ],
  "cache: several namespaces, cluster scope": [cache("watches each of its namespaces, and cluster-scoped kinds as a whole"), onServers("holds its namespaces and no other")], // prettier-ignore
  "cache: copies": [
    cache("gives copies, stamped with their type"),
    cache("shares its objects only with readers who ask"),
    onServers("gives everybody a copy, or one object"),
  ],
  "leader election: clocks that differ": [elector("does not care what the other's clock says")],
  "leader election: conflict": [elector("finds its way when somebody else has written the lease")],
  "leader election: release": [
    elector("lets another begin at once when it releases the lease"),
    suite("differential/mixed-election", "$to.name follows at once when $from.name releases"),
  ],
  "leader election: who loses the lease ends": [election("a leader that was frozen for too long writes nothing any more, and ends")], // prettier-ignore
  "leader election: who is killed is followed": [election("the other takes over when the leader is killed")],
  "leader election: times of six digits": [suite("manager", "elects one leader, with a Lease that the server takes")],
  "leader election: Go and TypeScript together": [suite("differential/mixed-election", "$to.name takes over from $from.name")], // prettier-ignore
  "webhooks: reviews as controller-runtime answers them": [differential],
  "metrics: names, labels and buckets of a Go operator": [differential],
  "health: the bodies of a Go operator": [differential],
  "logs: the fields of a Go operator": [differential],
  "requests and objects of a Go operator": [differential],
  "envtest: the same variables": [proof("unit/testing/test-environment.test.ts", "KUBEBUILDER_ASSETS", "USE_EXISTING_CLUSTER")], // prettier-ignore
  "envtest: started and stopped fifty times": [suite("environment", "$name leave nothing behind")],
  "soak: no final state is missed": [suite("chaos/chaos", "a controller misses nothing in the chaos")],
};

/** What no test of this repository proves, and why. */
const unproven: Readonly<Record<string, string>> = {
  "soak: 24 hours": "npm run soak -- --minutes 1440 does it; nobody waits a day for a test",
};

describe("the conformance checklist", () => {
  it.each(Object.entries(checklist))("%s", (_item, proofs) => {
    expect(proofs.length).toBeGreaterThan(0);
    for (const { file, titles } of proofs) {
      const text = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
      expect(titles.filter((title) => !text.includes(title))).toEqual([]);
    }
  });

  it.each(Object.entries(unproven))("leaves out %s", (_item, reason) => {
    expect(reason.length).toBeGreaterThan(20);
  });
});
