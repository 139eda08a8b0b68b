import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";
import { TestEnvironment, type TestEnvironmentOptions } from "./test-environment.ts";

/**
 * Several API servers for a test, and a folder with a kubeconfig for each, which `kubeconfigFiles` watches.
 *
 * @example
 * const servers = new TestFleet(["east", "west"]);
 * await servers.start();
 * const fleet = createFleet(mgr, kubeconfigFiles(servers.folder));
 * await servers.remove("west");
 * await servers.stop();
 */
export class TestFleet {
  private readonly names: readonly string[];
  private readonly options: TestEnvironmentOptions;
  private readonly environments = new Map<string, TestEnvironment>();
  private kubeconfigs: string | undefined;

  /** The options apply to each server. */
  constructor(names: readonly string[], options: TestEnvironmentOptions = {}) {
    this.names = names;
    this.options = options;
  }

  /** Starts the servers; stops them if one fails. */
  async start(): Promise<void> {
    if (this.kubeconfigs) return;
    this.kubeconfigs = await mkdtemp(join(tmpdir(), "tsop-fleet-"));
    try {
      await Promise.all(this.names.map((name) => this.add(name)));
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const running = [...this.environments.values()];
    this.environments.clear();
    await Promise.all(running.map((environment) => environment.stop()));
    if (this.kubeconfigs) await rm(this.kubeconfigs, { recursive: true, force: true });
    this.kubeconfigs = undefined;
  }

  /** The folder with the file `<name>.kubeconfig` of each server. */
  get folder(): string {
    if (!this.kubeconfigs) throw new TsopError("TSOP_TEST_ENVIRONMENT_NOT_STARTED", {});
    return this.kubeconfigs;
  }

  /** Returns the server of a name. */
  cluster(name: string): TestEnvironment {
    if (!this.kubeconfigs) throw new TsopError("TSOP_TEST_ENVIRONMENT_NOT_STARTED", {});
    const environment = this.environments.get(name);
    if (environment) return environment;
    const known = [...this.environments.keys()].join(", ") || "none";
    throw new TsopError("TSOP_TEST_FLEET_UNKNOWN", { name, known });
  }

  /** Starts another server, and writes its kubeconfig. */
  async add(name: string): Promise<TestEnvironment> {
    const { folder } = this;
    const reason = this.refusal(name);
    if (reason) throw new TsopError("TSOP_TEST_FLEET_NAME", { name: JSON.stringify(name), reason });
    const environment = new TestEnvironment(this.options);
    this.environments.set(name, environment);
    await environment.start();
    const hidden = join(folder, `.${name}`);
    await writeFile(hidden, environment.kubeconfig);
    await rename(hidden, join(folder, `${name}.kubeconfig`));
    return environment;
  }

  /** Removes the kubeconfig of a server, and stops it. */
  async remove(name: string): Promise<void> {
    const environment = this.cluster(name);
    this.environments.delete(name);
    await rm(join(this.folder, `${name}.kubeconfig`), { force: true });
    await environment.stop();
  }

  private refusal(name: string): string | undefined {
    if (this.environments.has(name)) return "it has one already";
    return /^[^./][^/]*$/.test(name) ? undefined : "the name is not a file name";
  }
}
