// The shards of a run: they come, end, are killed, and are frozen beyond their lease, as a seed decides.
import { join } from "node:path";
import { now } from "./observer.mjs";
import { startShard } from "./processes.mjs";

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Ring {
  /** Every process that has ever run, with its times in microseconds. */
  processes = [];
  /** The moments at which a shard stopped working. */
  events = [];
  counts = { added: 0, killed: 0, frozen: 0, removed: 0, restarted: 0 };
  #options;
  #number = 0;
  #closing = false;

  constructor(options) {
    this.#options = options;
  }

  get running() {
    return this.processes.filter(({ stopped, leaving }) => stopped === undefined && !leaving);
  }

  add(name = `shard-${++this.#number}`) {
    const log = join(this.#options.folder, `${name}-${this.processes.length}.log`);
    const shard = { name, log, started: now(), frozen: [], ...startShard({ ...this.#options, name, log }) };
    this.processes.push(shard);
    void shard.end.then((code) => {
      shard.stopped = now();
      shard.code = code;
      if (shard.leaving || this.#closing) return;
      // As a kubelet does: a shard that has lost its lease ends, and its container is started again.
      this.counts.restarted++;
      setTimeout(() => !this.#closing && this.add(name), 1000);
    });
    return shard;
  }

  kill(shard) {
    this.counts.killed++;
    shard.leaving = true;
    this.#note("kill", shard);
    shard.child.kill("SIGKILL");
  }

  /** Ends it as a rolling update does. */
  remove(shard) {
    this.counts.removed++;
    shard.leaving = true;
    this.#note("remove", shard);
    shard.child.kill("SIGTERM");
  }

  async freeze(shard, ms) {
    this.counts.frozen++;
    const from = now();
    const freeze = [from, Infinity];
    shard.frozen.push(freeze);
    this.#note("freeze", shard);
    shard.child.kill("SIGSTOP");
    await sleep(ms);
    freeze[1] = now();
    shard.child.kill("SIGCONT");
  }

  async close() {
    this.#closing = true;
    for (const { child } of this.running) child.kill("SIGTERM");
    await Promise.all(this.processes.map(({ end }) => end));
  }

  #note(kind, { name, log }) {
    this.events.push({ kind, name, log, at: now() });
    console.log(`${new Date().toISOString()} ${kind} ${name}`);
  }
}
