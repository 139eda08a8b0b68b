import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { ConfigMap, Event as CoreEvent, Pod } from "../../src/k8s/core/v1.ts";
import { Deployment } from "../../src/k8s/apps/v1.ts";
import { packageFile } from "../../src/apimachinery/package-file.ts";
import { temporaryFolder } from "../e2e/shell.ts";
import { expectAccessible } from "./accessibility.ts";
import { browserPath, noBrowser, visit, type Looks, type Visit } from "./browser.ts";
import { serveWindowOn, type ServedWindow } from "./served-window.ts";

const deployment = {
  metadata: { name: "web", namespace: "default", labels: { app: "web" } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "nginx" }] } },
  },
};

/** Markup that would run if any of it became HTML. */
const hostile = `<img src=x onerror="globalThis.broken=1"><script>globalThis.broken=1</script>`;

it("the page takes at most 150 kB", () => {
  const files = ["index.html", "app.js", "app.css", "icon.svg"].map((name) =>
    readFileSync(packageFile(`dist/ui/${name}`)),
  );
  const size = files.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0);
  expect(size).toBeLessThan(150 * 1024);
});

describe.skipIf(!browserPath)(`the window in a browser (else: ${noBrowser})`, () => {
  let served: ServedWindow;
  const visits: Visit[] = [];

  beforeAll(async () => {
    served = await serveWindowOn();
    const { client } = served.sandbox;
    await client.create(Deployment, deployment);
    const annotations = { note: hostile, [`example.com/${"a".repeat(40)}`]: hostile };
    const metadata = { name: "hostile", namespace: "default", annotations };
    await client.create(ConfigMap, {
      metadata,
      data: { [`key.${"k".repeat(60)}`]: hostile, multi: `${hostile}\n${hostile}` },
    });
    const pod = await client.create(Pod, {
      metadata: { name: "hostile", namespace: "default" },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
    const condition = { type: hostile, status: "False", reason: hostile, message: hostile };
    await client.status.update(Pod, { ...pod, status: { phase: "Failed", reason: hostile, conditions: [condition] } });
    const { name, namespace, uid } = pod.metadata;
    await client.create(CoreEvent, {
      metadata: { name: "hostile", namespace: "default" },
      involvedObject: { apiVersion: "v1", kind: "Pod", name, namespace: namespace!, uid: uid! },
      type: "Warning",
      reason: hostile,
      message: hostile,
    });
  });
  afterEach(async () => {
    for (const visited of visits.splice(0)) {
      await visited.close();
      expect(visited.complaints).toEqual([]);
    }
  });
  afterAll(() => served?.close());

  const open = async (url = served.url, looks: Looks = {}): Promise<Page> => {
    const visited = await visit(url, looks);
    visits.push(visited);
    return visited.page;
  };
  const goTo = (page: Page, hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  const row = (page: Page, name: RegExp) => page.getByRole("row", { name });

  it("shows objects below their owners, and never the token", async () => {
    const page = await open();
    await row(page, /Pod web-.*Running/)
      .first()
      .waitFor();
    const levels = await page
      .locator(".rows .row")
      .evaluateAll((rows) => rows.slice(0, 4).map((each) => (each as unknown as { ariaLevel: string }).ariaLevel));
    expect(levels).toEqual(["1", "2", "3", "3"]);
    expect(page.url()).not.toContain("token");
    expect(await page.content()).not.toContain(served.url.split("token=")[1]);
  });

  it("shows an object made of markup as text, everywhere", async () => {
    const page = await open();
    for (const tab of ["state", "yaml", "history", "edit"]) {
      await goTo(page, `#/objects?sel=${encodeURIComponent("/configmaps default/hostile")}&tab=${tab}`);
      await page.getByRole("tab", { selected: true }).waitFor();
      if (tab === "yaml") await page.getByRole("complementary").getByText("onerror").first().waitFor();
    }
    await goTo(page, `#/objects?sel=${encodeURIComponent("/pods default/hostile")}&tab=state`);
    const details = page.getByRole("complementary", { name: /Pod hostile/ });
    await expect.poll(() => details.getByText("onerror").count()).toBeGreaterThan(3);
    // The server refuses such a name; its answer repeats it.
    await goTo(page, "#/objects?sel=new");
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: '${hostile}'\n`;
    await page.getByRole("textbox", { name: "YAML" }).fill(text);
    await page.getByRole("button", { name: "Show difference" }).click();
    await page.locator(".problem").first().waitFor();
    await goTo(page, `#/objects?q=${encodeURIComponent(hostile)}&kind=${encodeURIComponent(hostile)}`);
    await page.getByText("No object matches").waitFor();
    expect(await page.locator("img, #app script").count()).toBe(0);
    expect(await page.evaluate("globalThis.broken")).toBeUndefined();
  });

  it("works with the keyboard alone", async () => {
    const page = await open();
    await row(page, /Pod web-/)
      .first()
      .waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("web");
    await page.getByText("4 objects").waitFor();
    await page.locator(".list").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowLeft");
    await row(page, /Pod web-/)
      .first()
      .waitFor({ state: "detached" });
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: /ReplicaSet web/ }).waitFor();
    await page.getByRole("tab", { name: "State" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("region", { name: /YAML of web/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("complementary").waitFor({ state: "detached" });
    await page.keyboard.press("3");
    await page.getByRole("grid", { name: "Requests" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  });

  it("shows the tree of an earlier moment, and comes back to now", async () => {
    const { client } = served.sandbox;
    const page = await open();
    const before = Date.now();
    // A warm connection stores the object within the same millisecond.
    await expect.poll(() => Date.now()).toBeGreaterThan(before);
    await client.create(ConfigMap, { metadata: { name: "late", namespace: "default" } });
    await row(page, /ConfigMap late/).waitFor();
    await goTo(page, `#/objects?at=${before}`);
    await row(page, /ConfigMap late/).waitFor({ state: "detached" });
    await row(page, /Deployment web/).waitFor();
    await page.getByRole("button", { name: "Live" }).click();
    await row(page, /ConfigMap late/).waitFor();
    await page.getByRole("slider", { name: "Time" }).focus();
    await page.keyboard.press("Home");
    await row(page, /Deployment web/).waitFor({ state: "detached" });
  });

  it("connects again after a restart of the server, with the state that was kept", async () => {
    const folder = temporaryFolder("window");
    const first = await serveWindowOn({ persist: folder.path, simulate: false });
    const page = await open(first.url);
    await first.sandbox.client.create(ConfigMap, { metadata: { name: "kept", namespace: "default" } });
    await row(page, /ConfigMap kept/).waitFor();
    await first.close();
    await page.getByText("connection lost").waitFor();
    const second = await serveWindowOn({ persist: folder.path, simulate: false }, { port: first.port });
    await page.getByRole("status").filter({ hasText: "live" }).waitFor();
    await row(page, /ConfigMap kept/).waitFor();
    await second.sandbox.client.delete(ConfigMap, { name: "kept", namespace: "default" });
    await row(page, /ConfigMap kept/).waitFor({ state: "detached" });
    await second.close();
    folder.remove();
  });

  it("says that a token is no longer valid", async () => {
    const other = await serveWindowOn({ simulate: false });
    const page = await open(other.url);
    await other.close();
    await page.getByText("connection lost").waitFor();
    const next = await serveWindowOn({ simulate: false }, { port: other.port });
    await page.getByText("its token is new").waitFor();
    await next.close();
    // The browser reports each 401.
    visits.at(-1)!.complaints.length = 0;
  });

  it("offers no write in read-only mode", async () => {
    const reading = await serveWindowOn({ simulate: false }, { readOnly: true });
    await reading.sandbox.client.create(ConfigMap, { metadata: { name: "seen", namespace: "default" } });
    const page = await open(reading.url);
    await row(page, /ConfigMap seen/).click();
    await page.getByRole("tab", { name: "YAML" }).waitFor();
    await page.getByText("read-only").waitFor();
    for (const name of ["Delete", "New…"]) expect(await page.getByRole("button", { name }).count()).toBe(0);
    expect(await page.getByRole("tab", { name: "Edit" }).count()).toBe(0);
    await reading.close();
  });

  const places = [
    "#/objects",
    `#/objects?sel=${encodeURIComponent("apps/deployments default/web")}`,
    `#/objects?sel=${encodeURIComponent("apps/deployments default/web")}&tab=history`,
    `#/objects?sel=${encodeURIComponent("apps/deployments default/web")}&tab=edit`,
    "#/work",
    "#/requests?writes=on",
    "#/requests?sel=3",
  ];

  it.each([
    { dark: false, width: 1280 },
    { dark: true, width: 1280 },
    { dark: false, width: 360, height: 740 },
  ])("passes axe, and fits the screen: %j", async (looks) => {
    const page = await open(served.url, looks);
    for (const place of places) {
      await goTo(page, place);
      if (place.includes("sel=")) await page.getByRole("complementary").waitFor();
      await page.getByText("Loading…").first().waitFor({ state: "detached" });
      await expectAccessible(visits.at(-1)!, place);
      const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      expect({ place, overflow }).toEqual({ place, overflow: 0 });
    }
  });
});
