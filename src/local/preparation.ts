import { generate } from "../codegen/index.ts";
import { applyPlan } from "../files/apply.ts";
import type { Disk } from "../files/disk.ts";
import type { OperatorBuilder } from "./build-operator.ts";
import type { Target } from "./choose-target.ts";
import type { LocalEvent } from "./local-event.ts";
import { prepareServer } from "./prepare-server.ts";

export interface PreparationOptions {
  readonly root: string;
  /** Of this tool. */
  readonly version: string;
  readonly install?: boolean | undefined;
  readonly disk: Disk;
  readonly target: Target;
  readonly builder: OperatorBuilder;
  readonly signal: AbortSignal;
  readonly emit: (event: LocalEvent) => void;
}

/** Turns sources into an operator that can start: generated files, CRDs on the server, a bundle. */
export class Preparation {
  readonly #options: PreparationOptions;
  #crdsAreServed = false;

  constructor(options: PreparationOptions) {
    this.#options = options;
  }

  /** True when the bundle is a new one. Throws what is wrong with the sources, or what the server refuses. */
  async run(): Promise<boolean> {
    await this.#generate();
    const [isNew] = await Promise.all([this.#build(), this.#serveCrds()]);
    return isNew;
  }

  async #generate(): Promise<void> {
    const { root, version, disk, emit } = this.#options;
    const { plan, warnings } = await generate({ root, version, disk, outputs: ["crd", "rbac", "webhook", "kinds"] });
    const { created, updated, removed } = await applyPlan(plan, disk, { force: true });
    const changed = [...created, ...updated, ...removed];
    if (changed.some((path) => path.startsWith("config/crd/"))) this.#crdsAreServed = false;
    emit({ type: "generated", changed, warnings });
  }

  async #build(): Promise<boolean> {
    const begin = performance.now();
    const isNew = await this.#options.builder.build();
    if (isNew) this.#options.emit({ type: "built", milliseconds: Math.round(performance.now() - begin) });
    return isNew;
  }

  async #serveCrds(): Promise<void> {
    if (this.#crdsAreServed) return;
    const { target, root, install = false, signal, emit } = this.#options;
    emit({ type: "crds", names: await prepareServer(target, { root, install, signal }) });
    this.#crdsAreServed = true;
  }
}
