import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";

/** Where Debian and others put the browser; `TSOP_CHROMIUM` names another one. The suite installs none. */
const places = [
  process.env["TSOP_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** The path of a Chromium. */
export const browserPath: string | undefined = places.find((path) => path && existsSync(path));

/** Why the tests are skipped. */
export const noBrowser = "no Chromium is installed (apt-get install chromium, or name one in TSOP_CHROMIUM)";

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Visit {
  readonly page: Page;
  /** Errors, messages about refused content, and requests to other hosts. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export interface Looks {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

/** Opens a page in a browser with an empty profile, and notes everything that a good page does not do. */
export async function visit(url: string, { width = 1280, height = 800, dark = false }: Looks = {}): Promise<Visit> {
  const profile = mkdtempSync(join(tmpdir(), "tsop-chromium-"));
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath: browserPath!,
    args: flags,
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const complaints: string[] = [];
  const own = new URL(url).host;
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A lost connection is reported by the browser itself.
    if (message.type() === "error" && !/ERR_(CONNECTION|INCOMPLETE|EMPTY)/.test(message.text()))
      complaints.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (new URL(request.url()).host !== own) complaints.push(`request: ${request.url()}`);
  });
  await page.addInitScript(
    `document.addEventListener("securitypolicyviolation", (event) => console.error("policy: " + event.violatedDirective + " " + event.blockedURI));`,
  );
  await page.goto(url);
  await page.getByRole("status").filter({ hasText: "live" }).waitFor();
  return {
    page,
    complaints,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
