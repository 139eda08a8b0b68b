import type { IncomingMessage } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { AccessFilter } from "../../../../src/runtime/metrics/access-filter.ts";
import type { SubjectAccessReview, TokenReview } from "../../../../src/runtime/metrics/access-reviews.ts";
import { ScriptedServer, type Exchange } from "../../scripted-server.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";
import { until } from "../until.ts";

const servers: ScriptedServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

/** Knows the tokens `good` and `weak`; only the user of the first may read /metrics. */
function reviews(exchange: Exchange): void {
  if (exchange.url.pathname.endsWith("/tokenreviews")) {
    const { spec } = JSON.parse(exchange.body) as TokenReview;
    const authenticated = spec.token === "good" || spec.token === "weak";
    const user = { username: `user-${spec.token}`, groups: ["g"] };
    exchange.json({ metadata: {}, spec, status: { authenticated, ...(authenticated ? { user } : {}) } }, 201);
    return;
  }
  const { spec } = JSON.parse(exchange.body) as SubjectAccessReview;
  const { path, verb } = spec.nonResourceAttributes!;
  const allowed = spec.user === "user-good" && path === "/metrics" && verb === "get";
  exchange.json({ metadata: {}, spec, status: { allowed } }, 201);
}

async function start(answer: (exchange: Exchange) => void = reviews) {
  const server = await ScriptedServer.start(answer);
  servers.push(server);
  const clock = manualClock(new Date(0));
  const filter = new AccessFilter({ client: server.client(), log: discardLogger, clock });
  const check = async (token: string | undefined, url = "/metrics", method = "GET"): Promise<number> => {
    return (await verdict(token && `Bearer ${token}`, url, method))?.code ?? 200;
  };
  const verdict = (authorization: string | undefined, url = "/metrics", method = "GET") => {
    const headers = authorization === undefined ? {} : { authorization };
    return filter.check({ headers, url, method } as IncomingMessage);
  };
  return { server, clock, check, verdict };
}

const user = { username: "u" };
const known = { authenticated: true, user };
const denied = { code: 403, text: "Authorization denied for user u" };
const noUser = { code: 500, text: "Authentication failed" };
const noVerdict = { code: 500, text: "Authorization for user u failed" };

describe("access to metrics", () => {
  it("is for those whom the API server knows and allows the path", async () => {
    const { check } = await start();
    expect(await check(undefined)).toBe(401);
    expect(await check("unknown")).toBe(500);
    expect(await check("weak")).toBe(403);
    expect(await check("good")).toBe(200);
    expect(await check("good", "/metrics?name[]=x")).toBe(200);
    expect(await check("good", "/other")).toBe(403);
    expect(await check("good", "/metrics", "POST")).toBe(403);
  });

  /** What controller-runtime 0.24 answered to each of these. */
  it.each<{ name: string; header?: string; token?: object; access?: object; refusal: object | undefined }>([
    { name: "no token", refusal: { code: 401, text: "Unauthorized" } },
    { name: "a password", header: "Basic abc", refusal: { code: 401, text: "Unauthorized" } },
    { name: "an empty token", header: "Bearer ", refusal: { code: 401, text: "Unauthorized" } },
    { name: "more than a token", header: "Bearer a b", refusal: undefined },
    { name: "a token after a scheme in small letters", header: "bearer a", refusal: undefined },
    { name: "a token that nobody has", header: "Bearer a", token: { authenticated: false }, refusal: noUser },
    { name: "a token with an error", header: "Bearer a", token: { error: "expired" }, refusal: noUser },
    {
      name: "a token of somebody, with an error",
      header: "Bearer a",
      token: { ...known, error: "odd" },
      refusal: undefined,
    },
    { name: "somebody of whom nothing is said", header: "Bearer a", access: { reason: "r" }, refusal: denied },
    { name: "somebody who can't be judged", header: "Bearer a", access: { evaluationError: "e" }, refusal: denied },
    { name: "somebody who is denied", header: "Bearer a", access: { denied: true }, refusal: denied },
    { name: "somebody who is both", header: "Bearer a", access: { allowed: true, denied: true }, refusal: noVerdict },
  ])("for $name is as in Go", async ({ header, token = known, access = { allowed: true }, refusal }) => {
    const { verdict } = await start((exchange) => {
      const status = exchange.url.pathname.endsWith("/tokenreviews") ? token : access;
      exchange.json({ metadata: {}, spec: {}, status }, 201);
    });
    expect(await verdict(header)).toEqual(refusal);
  });

  it("is asked for again at once when the API server could not tell whose token it is", async () => {
    const { server, check } = await start((exchange) =>
      exchange.json({ metadata: {}, spec: {}, status: { authenticated: false, error: "no answer" } }, 201),
    );
    expect([await check("good"), await check("good")]).toEqual([500, 500]);
    expect(server.requests).toHaveLength(2);
  });

  it("is asked for once a minute a token, and once in five minutes a verdict", async () => {
    const { check, server, clock } = await start();
    await check("good");
    await check("good");
    expect(server.requests).toHaveLength(2);
    await clock.advance(60_000);
    await check("good");
    expect(server.requests.map((request) => request.split("/").at(-1))).toEqual([
      "tokenreviews",
      "subjectaccessreviews",
      "tokenreviews",
    ]);
    await clock.advance(240_000);
    await check("good");
    expect(server.requests).toHaveLength(5);
  });

  it("is asked for again after half a minute when it was denied", async () => {
    const { check, server, clock } = await start();
    await check("weak");
    await check("weak");
    expect(server.requests).toHaveLength(2);
    await clock.advance(30_000);
    await check("weak");
    expect(server.requests).toHaveLength(3);
  });

  it("is asked for with all that is known of the user", async () => {
    const user = { username: "u", uid: "1", groups: ["system:serviceaccounts"], extra: { pod: ["p"] } };
    const asked: unknown[] = [];
    const { check } = await start((exchange) => {
      const { spec } = JSON.parse(exchange.body) as SubjectAccessReview;
      const isToken = exchange.url.pathname.endsWith("/tokenreviews");
      if (!isToken) asked.push(spec);
      const status = isToken
        ? { authenticated: true, user }
        : { allowed: spec.groups?.includes("system:serviceaccounts") };
      exchange.json({ metadata: {}, spec, status }, 201);
    });
    expect(await check("good")).toBe(200);
    const { username, ...rest } = user;
    expect(asked).toEqual([{ user: username, ...rest, nonResourceAttributes: { path: "/metrics", verb: "get" } }]);
  });

  it("is refused for a minute to a token that is not known, without asking again", async () => {
    const { check, server, clock } = await start();
    for (let n = 0; n < 3; n++) expect(await check("unknown")).toBe(500);
    expect(server.requests).toHaveLength(1);
    await clock.advance(60_000);
    expect(await check("unknown")).toBe(500);
    expect(server.requests).toHaveLength(2);
  });

  it("fails at once when the operator itself may not ask", async () => {
    const { check, server } = await start((exchange) => exchange.refuse(403, "Forbidden"));
    expect(await check("good")).toBe(500);
    expect(server.requests).toHaveLength(1);
  });

  it("fails after ten seconds when the API server takes questions and says nothing", async () => {
    const { check, server, clock } = await start(() => undefined);
    const verdict = check("good");
    await until("the question", () => server.requests.length === 1);
    await clock.advance(10_000);
    expect(await verdict).toBe(500);
  });

  it("fails closed when the API server does not answer, after five tries", async () => {
    const { check, server, clock } = await start((exchange) => exchange.refuse(500, "InternalError"));
    const verdict = check("good");
    await until("five tries", async () => {
      await clock.advance(1000);
      return server.requests.length === 5;
    });
    expect(await verdict).toBe(500);
  });
});
