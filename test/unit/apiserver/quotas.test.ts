import { describe, expect, it } from "vitest";
import { asker } from "./ask.ts";

const namespace = "/api/v1/namespaces/default";
const pods = `${namespace}/pods`;
const quotas = `${namespace}/resourcequotas`;
const pod = (name: string): object => ({ metadata: { name }, spec: { containers: [{ name: "c", image: "i" }] } });

describe("a quota", () => {
  it("allows no more than there is to requests that come together", async () => {
    const api = asker();
    await api.ask("POST", quotas, { metadata: { name: "a" }, spec: { hard: { pods: "5" } } });
    const status = { hard: { pods: "5" }, used: { pods: "0" } };
    const { body: quota } = await api.ask("GET", `${quotas}/a`);
    await api.ask("PUT", `${quotas}/a/status`, { ...quota, status });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => api.ask("POST", pods, pod(`p${index}`))),
    );
    const codes = answers.map((answer) => answer.status).toSorted();
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 201), ...Array.from({ length: 15 }, () => 403)]);
    const { body } = await api.ask("GET", `${quotas}/a`);
    expect(body.status).toEqual({ hard: { pods: "5" }, used: { pods: "5" } });
  });

  it("counts nothing of a dry run, which it may refuse", async () => {
    const api = asker();
    await api.ask("POST", quotas, { metadata: { name: "a" }, spec: { hard: { pods: "1" } } });
    const { body: quota } = await api.ask("GET", `${quotas}/a`);
    const status = { hard: { pods: "1" }, used: { pods: "0" } };
    await api.ask("PUT", `${quotas}/a/status`, { ...quota, status });
    const attempts = [`${pods}?dryRun=All`, pods, `${pods}?dryRun=All`];
    const codes: number[] = [];
    for (const [index, path] of attempts.entries()) codes.push((await api.ask("POST", path, pod(`p${index}`))).status);
    expect(codes).toEqual([201, 201, 403]);
  });
});
