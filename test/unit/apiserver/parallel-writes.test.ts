import { expect, it } from "vitest";
import { asker, merge } from "./ask.ts";

const namespace = "/api/v1/namespaces/default";
const pods = `${namespace}/pods`;
const quotas = `${namespace}/resourcequotas`;
const pod = (name: string): object => ({ metadata: { name }, spec: { containers: [{ name: "c", image: "i" }] } });

it("gives no more of a quota than there is to requests that come together", async () => {
  const api = asker();
  await api.ask("POST", quotas, { metadata: { name: "a" }, spec: { hard: { pods: "5" } } });
  const status = { hard: { pods: "5" }, used: { pods: "0" } };
  const { body: quota } = await api.ask("GET", `${quotas}/a`);
  await api.ask("PUT", `${quotas}/a/status`, { ...quota, status });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => api.ask("POST", pods, pod(`p${index}`))));
  const codes = answers.map((answer) => answer.status).toSorted();
  expect(codes).toEqual([...Array.from({ length: 5 }, () => 201), ...Array.from({ length: 15 }, () => 403)]);
  const { body } = await api.ask("GET", `${quotas}/a`);
  expect(body.status).toEqual({ hard: { pods: "5" }, used: { pods: "5" } });
});

it("applies patches that take long and come together", async () => {
  const api = asker();
  const maps = `${namespace}/configmaps`;
  const data = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`key-${n}`, "v"]));
  await api.ask("POST", maps, { metadata: { name: "long" }, data });
  const patches = Array.from({ length: 10 }, (_, n) =>
    api.ask("PATCH", `${maps}/long`, { data: { ...data, [`new-${n}`]: "v" } }, merge),
  );
  expect((await Promise.all(patches)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  const { body } = await api.ask("GET", `${maps}/long`);
  expect(Object.keys(body.data)).toHaveLength(5010);
});
