import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { linkPackages, LongRunning, repository, temporaryFolder } from "../e2e/shell.ts";
import { expectAccessible } from "./accessibility.ts";
import { browserPath, noBrowser, visit, type Visit } from "./browser.ts";

/** The Memcached operator of the tutorial, by clicks and keys. */
describe.skipIf(!browserPath)(`run --local --ui in a browser (else: ${noBrowser})`, () => {
  const folder = temporaryFolder("window-journey");
  const project = join(folder.path, "memcached-operator");
  let tool: LongRunning;
  let visited: Visit;
  let page: Page;

  beforeAll(async () => {
    cpSync(join(repository, "examples/memcached-operator"), project, {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    });
    linkPackages(project);
    const args = [join(repository, "bin/tsop.js"), "run", "--local", "--rbac", "--ui"];
    tool = new LongRunning(process.execPath, args, { cwd: project });
    const [, url] = await tool.prints(/window: (http:\S+)/);
    visited = await visit(url!);
    ({ page } = visited);
  });
  afterAll(async () => {
    await visited?.close();
    expect(await tool?.stop()).toBe(0);
    folder.remove();
  });

  const row = (name: RegExp) => page.getByRole("row", { name });

  it("creates a Memcached in the page, after a look at what the server would do", async () => {
    await page.getByRole("button", { name: "New…" }).click();
    const editor = page.getByRole("textbox", { name: "YAML" });
    const text = (size: string) =>
      `apiVersion: cache.example.com/v1alpha1\nkind: Memcached\nmetadata:\n  name: journey\n  namespace: default\nspec:\n  size: ${size}\n`;
    await editor.fill(text("99"));
    await page.getByRole("button", { name: "Show difference" }).click();
    await page.getByText(/line 7: spec.size: .*less than or equal to/).waitFor();
    expect(await page.getByRole("button", { name: "Apply" }).isDisabled()).toBe(true);
    await editor.fill(text("2"));
    await page.getByRole("button", { name: "Show difference" }).click();
    await page.getByRole("region", { name: "Difference of the dry run" }).waitFor();
    expect(await row(/Memcached journey/).count()).toBe(0);
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("Applied.").waitFor();
    await page.keyboard.press("Escape");
    await row(/Memcached journey.*Available/).waitFor();
    await expect.poll(() => row(/Pod journey.*Running/).count()).toBe(2);
  });

  it("shows the reconciles with their cause, requests and log lines", async () => {
    await page.keyboard.press("2");
    await row(/default\/journey.*create of Memcached/)
      .first()
      .click();
    const details = page.getByRole("complementary");
    await details.getByText("create of Memcached default/journey").waitFor();
    await details.getByRole("link", { name: /update memcacheds/ }).waitFor();
    await page.getByRole("searchbox", { name: "Filter" }).fill("journey");
    // The reconcile that created the Deployment has logged it.
    const rows = page.getByRole("grid", { name: "Reconciles" });
    await rows.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await details.getByText("Created the Deployment").waitFor();
    await expectAccessible(visited, "a reconcile");
  });

  it("leads from a write to its difference, and to the reconciles that it caused", async () => {
    const details = page.getByRole("complementary");
    await details.getByRole("link", { name: /create deployments.apps/ }).click();
    await details.getByText("Created Deployment default/journey").waitFor();
    await details.getByRole("region", { name: /Difference of default\/journey/ }).waitFor();
    await details
      .getByRole("link", { name: /memcached default\/journey/ })
      .first()
      .click();
    await details.getByText(/create of Deployment default\/journey/).waitFor();
    await page.goBack();
    await details.getByText("Created Deployment default/journey").waitFor();
  });

  it("names the writer of each revision", async () => {
    await page.keyboard.press("1");
    await row(/Memcached journey/).click();
    await page.getByRole("tab", { name: /History/ }).click();
    const details = page.getByRole("complementary");
    await details.getByRole("button", { name: /1 created .* tsop-ui/ }).waitFor();
    await details.getByRole("button", { name: /2 changed .*controller-manager/ }).click();
    await details.getByText("cache.example.com/finalizer").waitFor();
  });

  it("scales with the page, and the operator follows", async () => {
    const replicas = page.getByRole("spinbutton", { name: "Replicas" });
    await replicas.fill("4");
    await page.getByRole("button", { name: "Scale" }).click();
    await page.getByRole("alert").filter({ hasText: "less than or equal to 3" }).waitFor();
    await replicas.fill("3");
    await page.keyboard.press("Enter");
    await expect.poll(() => row(/Pod journey.*Running/).count()).toBe(3);
  });

  it("deletes after a second question, and the finalizer runs", async () => {
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Really delete" }).click();
    await row(/Memcached journey/).waitFor({ state: "detached" });
    await expect.poll(() => row(/Pod journey/).count()).toBe(0);
    await page.getByRole("complementary").locator(".facts").filter({ hasText: "Deleted" }).waitFor();
    expect(visited.complaints).toEqual([]);
  });

  it("shows a refusal by role with the marker that would allow it", async () => {
    // The operator's own account asks for what config/rbac does not give it.
    await page.keyboard.press("3");
    const script = `
      import { createClient, loadConfig } from "tsop";
      import { Secret } from "tsop/k8s/core/v1";
      await createClient({ config: await loadConfig() }).list(Secret, { namespace: "default" }).catch(() => {});`;
    const asking = new LongRunning(process.execPath, ["--input-type=module", "-e", script], {
      cwd: project,
      env: { KUBECONFIG: operatorKubeconfig(project) },
    });
    expect(await asking.ended).toBe(0);
    await page.getByRole("checkbox", { name: "Stands out" }).check();
    await row(/403 list secrets/).click();
    await page
      .getByRole("complementary")
      .locator(".marker")
      .filter({ hasText: '// +kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch' })
      .waitFor();
  });
});

/** Returns the path of the kubeconfig that `run --local` gives to the operator. */
function operatorKubeconfig(project: string): string {
  const run = readdirSync(join(project, ".tsop")).find((name) => name.startsWith("run-"))!;
  return join(project, ".tsop", run, "kubeconfig");
}
