import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import {
  AccessFilter,
  type SubjectAccessReview,
  type TokenReview,
} from "../../../../src/runtime/metrics/access-filter.ts";
import { ScriptedServer, type Exchange } from "../../scripted-server.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";
import { loggedLines } from "../logged-lines.ts";
import { until } from "../until.ts";

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
  const clock = manualClock(new Date(0));
  const { logger: log, lines } = loggedLines();
  const filter = new AccessFilter({ client: server.client(), log, clock });
  const check = async (token: string | undefined, url = "/metrics", method = "GET"): Promise<number> => {
    return (await verdict(token && `Bearer ${token}`, url, method))?.code ?? 200;
  };
  const verdict = (authorization: string | undefined, url = "/metrics", method = "GET") => {
    const headers = authorization === undefined ? {} : { authorization };
    return filter.check({ headers, url, method } as IncomingMessage);
  };
  return { server, clock, check, verdict, lines };
}

const user = { username: "u" };
const known = { authenticated: true, user };
const denied = { code: 403, text: "Authorization denied for user u" };
const noUser = { code: 500, text: "Authentication failed" };
const noVerdict = { code: 500, text: "Authorization for user u failed" };

describe("access to metrics", () => {
  it("is granted to users whose token and path the API server accepts", async () => {
    const { check } = await start();
    expect(await check(undefined)).toBe(401);
    expect(await check("unknown")).toBe(500);
    expect(await check("weak")).toBe(403);
    expect(await check("good")).toBe(200);
    expect(await check("good", "/metrics?name[]=x")).toBe(200);
    expect(await check("good", "/other")).toBe(403);
    expect(await check("good", "/metrics", "POST")).toBe(403);
  });

  /** The responses of controller-runtime 0.24. */
  it.each<{ name: string; header?: string; token?: object; access?: object; refusal: object | undefined }>([
    { name: "no token", refusal: { code: 401, text: "Unauthorized" } },
    { name: "a password", header: "Basic abc", refusal: { code: 401, text: "Unauthorized" } },
    { name: "an empty token", header: "Bearer ", refusal: { code: 401, text: "Unauthorized" } },
    { name: "text after the token", header: "Bearer a b", refusal: undefined },
    { name: "a token after a scheme in lower case", header: "bearer a", refusal: undefined },
    { name: "an unknown token", header: "Bearer a", token: { authenticated: false }, refusal: noUser },
    { name: "a token with an error", header: "Bearer a", token: { error: "expired" }, refusal: noUser },
    {
      name: "an authenticated token with an error",
      header: "Bearer a",
      token: { ...known, error: "odd" },
      refusal: undefined,
    },
    { name: "a user without a decision", header: "Bearer a", access: { reason: "r" }, refusal: denied },
    { name: "a user with an evaluation error", header: "Bearer a", access: { evaluationError: "e" }, refusal: denied },
    { name: "a denied user", header: "Bearer a", access: { denied: true }, refusal: denied },
    {
      name: "a user both allowed and denied",
      header: "Bearer a",
      access: { allowed: true, denied: true },
      refusal: noVerdict,
    },
  ])("with $name is handled as in Go", async ({ header, token = known, access = { allowed: true }, refusal }) => {
    const { verdict } = await start((exchange) => {
      const status = exchange.url.pathname.endsWith("/tokenreviews") ? token : access;
      exchange.json({ metadata: {}, spec: {}, status }, 201);
    });
    expect(await verdict(header)).toEqual(refusal);
  });

  it("costs few reviews for many unknown tokens, which do not shut out known ones", async () => {
    const { server, check, clock } = await start();
    expect(await check("good")).toBe(200);
    await clock.advance(60_000);
    const codes = await Promise.all(Array.from({ length: 1_000 }, (_, at) => check(`unknown-${at}`)));
    expect(codes.filter((code) => code === 500)).toHaveLength(50);
    expect(codes.filter((code) => code === 429)).toHaveLength(950);
    expect(await check("good")).toBe(200);
    expect(server.requests.filter((request) => request.endsWith("tokenreviews"))).toHaveLength(52);
    await clock.advance(1_000);
    expect(await check("weak")).toBe(403);
  });

  it("logs a line without a stack for an unknown token", async () => {
    const { check, lines } = await start();
    expect(await check("unknown")).toBe(500);
    expect(lines).toMatchObject([{ level: "info", msg: "Authentication failed", error: "invalid bearer token" }]);
    expect(lines[0]).not.toHaveProperty("stacktrace");
  });

  it("is checked again immediately if the API server could not authenticate the token", async () => {
    const { server, check } = await start((exchange) =>
      exchange.json({ metadata: {}, spec: {}, status: { authenticated: false, error: "no answer" } }, 201),
    );
    expect([await check("good"), await check("good")]).toEqual([500, 500]);
    expect(server.requests).toHaveLength(2);
  });

  it("is checked once a minute for a token, and once in five minutes for a decision", async () => {
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

  it("is checked again half a minute after a denial", async () => {
    const { check, server, clock } = await start();
    await check("weak");
    await check("weak");
    expect(server.requests).toHaveLength(2);
    await clock.advance(30_000);
    await check("weak");
    expect(server.requests).toHaveLength(3);
  });

  it("is checked with all attributes of the user", async () => {
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

  it("is denied to an unknown token for a minute without a new request", async () => {
    const { check, server, clock } = await start();
    for (let n = 0; n < 3; n++) expect(await check("unknown")).toBe(500);
    expect(server.requests).toHaveLength(1);
    await clock.advance(60_000);
    expect(await check("unknown")).toBe(500);
    expect(server.requests).toHaveLength(2);
  });

  it("fails immediately if the operator lacks the permission to check", async () => {
    const { check, server } = await start((exchange) => exchange.refuse(403, "Forbidden"));
    expect(await check("good")).toBe(500);
    expect(server.requests).toHaveLength(1);
  });

  it("fails after ten seconds if the API server does not respond", async () => {
    const { check, server, clock } = await start(() => undefined);
    const verdict = check("good");
    await until("the request", () => server.requests.length === 1);
    await clock.advance(10_000);
    expect(await verdict).toBe(500);
  });

  it("fails closed after five attempts if the API server is unreachable", async () => {
    const { check, server, clock } = await start((exchange) => exchange.refuse(500, "InternalError"));
    const verdict = check("good");
    await until("five tries", async () => {
      await clock.advance(1000);
      return server.requests.length === 5;
    });
    expect(await verdict).toBe(500);
  });
});
