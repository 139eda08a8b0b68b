// `npm run pictures`: takes the pictures of docs/window.md and the README from a run of the tutorial's operator.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const executablePath = process.env.TSOP_CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(executablePath))
  throw new Error(`there is no ${executablePath}; install chromium or set TSOP_CHROMIUM`);
const folder = mkdtempSync(join(tmpdir(), "tsop-pictures-"));
const project = join(folder, "memcached-operator");
cpSync(join(repository, "examples/memcached-operator"), project, { recursive: true });
mkdirSync(join(project, "node_modules"), { recursive: true });
for (const name of readdirSync(join(repository, "node_modules")).filter((each) => each !== ".bin"))
  if (!existsSync(join(project, "node_modules", name)))
    symlinkSync(join(repository, "node_modules", name), join(project, "node_modules", name));
if (!existsSync(join(project, "node_modules/tsop"))) symlinkSync(repository, join(project, "node_modules/tsop"));

const args = [join(repository, "bin/tsop.js"), "run", "--local", "--rbac", "--ui", "--apply", "config/samples"];
const { KUBECONFIG: _, ...env } = process.env;
const tool = spawn(process.execPath, args, { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
const ended = new Promise((resolve) => tool.once("exit", resolve));
let output = "";
for (const stream of [tool.stdout, tool.stderr]) stream.on("data", (chunk) => (output += chunk));

let browser;
try {
  const url = await found(/window: (http:\S+)/);
  await found(/Created the Deployment/);
  const flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"];
  browser = await chromium.launch({ executablePath, args: flags });
  for (const colorScheme of ["light", "dark"]) {
    const options = { viewport: { width: 1080, height: 560 }, colorScheme, reducedMotion: "reduce" };
    const page = await browser.newPage(options);
    await page.goto(url);
    const shoot = (name) => page.screenshot({ path: join(repository, `docs/window-${name}-${colorScheme}.png`) });
    const row = (name) => page.getByRole("row", { name }).first();
    await row(/Memcached memcached-sample.*Available/).waitFor();
    await row(/Pod memcached-sample.*Running/).waitFor();
    await row(/Memcached memcached-sample/).click();
    await page.getByRole("tab", { name: /History/ }).click();
    await page.getByRole("button", { name: /2 changed/ }).click();
    await page.getByText("cache.example.com/finalizer").waitFor();
    await shoot("objects");
    await page.keyboard.press("2");
    await page.getByRole("grid", { name: "Reconciles" }).focus();
    for (const key of ["Home", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await page.getByText("Created the Deployment").waitFor();
    await shoot("work");
    await page.getByRole("link", { name: /create deployments.apps/ }).click();
    await page.getByText("Created Deployment").waitFor();
    await shoot("requests");
    await page.close();
  }
} finally {
  await browser?.close();
  tool.kill("SIGINT");
  await ended;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Waits until the output matches, and returns the first group. */
async function found(pattern) {
  const deadline = Date.now() + 60_000;
  while (!pattern.test(output)) {
    if (Date.now() > deadline || tool.exitCode !== null) throw new Error(`${pattern} is not in the output:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  return pattern.exec(output)[1];
}
