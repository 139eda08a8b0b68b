import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../../../src/client/create-client.ts";
import { HttpTransport } from "../../../../src/client/transport/http-transport.ts";
import type { Client } from "../../../../src/index.ts";
import { Deployment } from "../../../../src/k8s/apps/v1.ts";
import { Lease, type LeaseSpec } from "../../../../src/runtime/leader-election/lease-object.ts";
import { installCrds } from "../../../../src/client/manifests/install-crds.ts";
import { eventually } from "../../../../src/testing/eventually.ts";
import { patience } from "../../../patience.ts";
import { auditedEmbedded, auditedReal, type AuditedServer } from "./audited-server.ts";
import { buildGoOperator, startGo } from "./go-operator.ts";
import { Memcached, memcachedCrd } from "./memcached.ts";
import { setUpOperator, type Operator, type OperatorSetUp } from "./operator.ts";
import { startTwin } from "./twin.ts";

// Needs Go and the modules of lab/record/go-operator on this machine; the form of a Lease is compared without them.
const go = await buildGoOperator();
const skipped = "missing" in go ? go.missing.split("\n")[0] : undefined;

const assets = process.env["KUBEBUILDER_ASSETS"];
const targets = [
  { name: "the embedded server", start: auditedEmbedded },
  ...(assets ? [{ name: "a real kube-apiserver", start: () => auditedReal(assets) }] : []),
];
const namespace = "default";
/** Extra time for a busy machine on top of the time that the rules give. */
const slackMs = 9_000;
const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

interface Candidate {
  readonly name: string;
  readonly agent: RegExp;
  start(setUp: OperatorSetUp): Promise<Operator>;
}

const goCandidate: Candidate = {
  name: "Go",
  agent: /operator/,
  start: (setUp) => startGo("binary" in go ? go.binary : "", setUp),
};
const twin: Candidate = { name: "TypeScript", agent: /^tsop/, start: startTwin };

describe.each(targets)("candidates in Go and TypeScript for one Lease on $name", ({ start }) => {
  let server: AuditedServer;
  let client: Client;
  let cleanUp: (() => Promise<void>)[];

  beforeAll(async () => {
    server = await start();
    client = createClient({ transport: new HttpTransport(server.config, { userAgent: "driver" }) });
    await installCrds(client, [memcachedCrd]);
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    cleanUp = [];
  });
  afterEach(async () => {
    for (const clean of cleanUp.toReversed()) await clean();
    await client.deleteAllOf(Lease, { namespace });
  });

  async function begin(candidate: Candidate, releaseOnCancel = false): Promise<Operator> {
    const setUp = await setUpOperator(server.config, releaseOnCancel);
    const operator = await candidate.start(setUp);
    cleanUp.push(
      () => setUp.remove(),
      () => operator.stop("killed").catch(() => undefined),
    );
    return operator;
  }

  const spec = async (): Promise<LeaseSpec> =>
    (await client.get(Lease, { namespace, name: "differential.example.com" })).spec ?? {};

  async function heldByOtherThan(holder: string | undefined): Promise<LeaseSpec> {
    return eventually(async () => {
      const found = await spec();
      return found.holderIdentity && found.holderIdentity !== holder ? found : (false as const);
    }, patience);
  }

  /** Returns the operator whose requests created the Deployment of a new Memcached. */
  async function reconciledBy(name: string): Promise<string[]> {
    const before = (await server.requests()).length;
    const key = { namespace, name };
    await client.create(Memcached, { metadata: key, spec: { size: 1 } });
    await eventually(() => client.get(Deployment, key), patience);
    const made = (await server.requests()).slice(before);
    const creations = made.filter(({ verb, target }) => verb === "create" && target === "deployments.apps");
    // If Go's cache is late, it sends one more create, which fails.
    return [...new Set(creations.map(({ userAgent }) => userAgent))];
  }

  const directions = [
    { from: goCandidate, to: twin },
    { from: twin, to: goCandidate },
  ];

  it.skipIf(skipped).each(directions)(
    `$to.name takes over from $from.name${skipped ? `: skipped, ${skipped}` : ""}`,
    async ({ from, to }) => {
      const first = await begin(from);
      const before = await heldByOtherThan(undefined);
      expect(await reconciledBy(`${from.name.toLowerCase()}-first`)).toEqual([expect.stringMatching(from.agent)]);
      const begun = (await server.requests()).length;
      await begin(to);
      await eventually(() => hasTried(to, begun), patience);
      // Another holder's lease stays theirs while it is renewed.
      const renewed = (await spec()).renewTime;
      await eventually(async () => (await spec()).renewTime !== renewed, patience);
      expect((await spec()).holderIdentity).toBe(before.holderIdentity);

      const stopped = performance.now();
      await first.stop("killed");
      const after = await heldByOtherThan(before.holderIdentity);
      const { leaseDuration, retryPeriod } = first.setUp;
      expect(performance.now() - stopped).toBeLessThan(leaseDuration + retryPeriod * 2.2 + slackMs);
      expect(after).toEqual({
        holderIdentity: expect.stringMatching(/^[^_]+_[0-9a-f-]{36}$/),
        leaseDurationSeconds: leaseDuration / 1000,
        acquireTime: expect.stringMatching(microTime),
        renewTime: expect.stringMatching(microTime),
        leaseTransitions: 1,
      });
      expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted());
      expect(await reconciledBy(`${to.name.toLowerCase()}-second`)).toEqual([expect.stringMatching(to.agent)]);
    },
  );

  it.skipIf(skipped).each(directions)(
    `$to.name takes over immediately when $from.name releases the lease${skipped ? `: skipped, ${skipped}` : ""}`,
    async ({ from, to }) => {
      const first = await begin(from, true);
      const before = await heldByOtherThan(undefined);
      const begun = (await server.requests()).length;
      await begin(to, true);
      await eventually(() => hasTried(to, begun), patience);
      const seen = await watchLease();
      await first.stop("gracefully");
      const after = await heldByOtherThan(before.holderIdentity);
      await eventually(() => expect(seen.at(-1)?.holderIdentity).toBe(after.holderIdentity), patience);
      // No record of the old leader expired: the record changed from its last renewal to no holder, and from there on.
      const released = seen.findIndex(({ holderIdentity }) => !holderIdentity);
      expect(seen[released]).toEqual({
        holderIdentity: "",
        leaseDurationSeconds: 1,
        acquireTime: expect.stringMatching(microTime),
        renewTime: expect.stringMatching(microTime),
        leaseTransitions: 0,
      });
      expect(seen[released + 1]).toMatchObject({ holderIdentity: after.holderIdentity, leaseTransitions: 1 });
      // Go reports it too, but its process exits before client-go has sent the event.
      const words = from === twin ? ["became leader", "stopped leading"] : ["became leader"];
      const told = await eventually(async () => {
        const found = await leaderEvents(before.holderIdentity!);
        return found.length >= words.length && found;
      }, patience);
      expect(told).toEqual(expect.arrayContaining(words));
    },
  );

  /** Returns the events of a candidate about its lease. */
  async function leaderEvents(identity: string): Promise<string[]> {
    const kind = await client.kindFor("v1", "Event");
    const { items } = await client.list(kind, { namespace });
    const own = items.filter((event) => (event["source"] as { component?: string }).component === identity);
    for (const event of own) {
      const { apiVersion, kind: about, name } = event["involvedObject"] as Record<string, unknown>;
      expect({ apiVersion, about, name }).toEqual({ apiVersion: "coordination.k8s.io/v1", about: "Lease", name: "differential.example.com" }); // prettier-ignore
      expect(event).toMatchObject({ reason: "LeaderElection", type: "Normal" });
    }
    return own.map(({ message }) => String(message).replace(`${identity} `, "")).toSorted();
  }

  async function watchLease(): Promise<LeaseSpec[]> {
    const seen: LeaseSpec[] = [];
    const stop = new AbortController();
    const { signal } = stop;
    const watching = (async () => {
      for await (const { object } of client.watch(Lease, { namespace, signal }))
        seen.push((object as Lease).spec ?? {});
    })();
    cleanUp.push(async () => {
      stop.abort();
      await watching.catch(() => undefined);
    });
    await eventually(() => seen.length > 0, patience);
    return seen;
  }

  /** Reports whether a waiting candidate has read the lease at least once. */
  async function hasTried({ agent }: Candidate, since: number): Promise<boolean> {
    return (await server.requests())
      .slice(since)
      .some(({ verb, target, userAgent }) => verb === "get" && target.startsWith("leases") && agent.test(userAgent));
  }
});
