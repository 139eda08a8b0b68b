import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigMap } from "../../src/k8s/core/v1.ts";
import { mergePatch } from "../../src/client/patches.ts";
import { browserPath, noBrowser, visit, type Visit } from "./browser.ts";
import { serveWindowOn, type ServedWindow } from "./served-window.ts";

const count = 10_000;
const perSecond = 200;
const seconds = 10;

/** Notes the time between frames, and tasks that block the page. */
const measureFrames = `
  globalThis.measured = { frames: [], tasks: [] };
  let last = performance.now();
  new PerformanceObserver((list) => measured.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
  (function tick() {
    const now = performance.now();
    measured.frames.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  })();`;

describe.skipIf(!browserPath)(`10,000 objects and 200 events a second (else: ${noBrowser})`, () => {
  let served: ServedWindow;
  let visited: Visit;

  beforeAll(async () => {
    served = await serveWindowOn({ simulate: false });
    const { client } = served.sandbox;
    for (let from = 0; from < count; from += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => {
          const name = `map-${String(from + index).padStart(5, "0")}`;
          return client.create(ConfigMap, { metadata: { name, namespace: "default" }, data: { n: "0" } });
        }),
      );
    visited = await visit(served.url);
  });
  afterAll(async () => {
    await visited?.close();
    await served?.close();
  });

  it("stay smooth: few elements, short frames, and every change arrives", async () => {
    const { page, complaints } = visited;
    await page.getByText("10000 objects").waitFor();
    expect(await page.locator(".rows .row").count()).toBeLessThan(120);
    await page.evaluate(measureFrames);
    const { client } = served.sandbox;
    const started = performance.now();
    for (let sent = 0; sent < seconds * perSecond; sent++) {
      const name = `map-${String(sent % 50).padStart(5, "0")}`;
      await client.patch(ConfigMap, { namespace: "default", name }, mergePatch({ data: { n: String(sent) } }));
      // The rate is a part of what is measured.
      const ahead = (sent / perSecond) * 1000 - (performance.now() - started);
      if (ahead > 5) await new Promise((resolve) => setTimeout(resolve, ahead));
      if (sent % 100 === 0) await page.mouse.wheel(0, 2_000);
    }
    const { frames, tasks } = await page.evaluate<{ frames: number[]; tasks: number[] }>("measured");
    const sorted = frames.toSorted((a, b) => a - b);
    const at = (share: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Infinity);
    console.log(
      `${frames.length} frames: median ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms; ${tasks.length} tasks over 50 ms, longest ${Math.round(Math.max(0, ...tasks))} ms`,
    );
    // Generous, as other tests share the machine. Alone on two cores, the median was 17 ms in each of four runs, the 95th
    // percentile 17 to 21 ms and the longest frame 35 to 65 ms.
    expect(at(0.95)).toBeLessThan(150);
    await page.goto(
      `${served.url.split("#")[0]}#/objects?sel=${encodeURIComponent("/configmaps default/map-00000")}&tab=yaml`,
    );
    await page.getByText(`"${seconds * perSecond - 50}"`).waitFor();
    await page.keyboard.press("2");
    await page.keyboard.press("3");
    expect(complaints).toEqual([]);
  });
});
