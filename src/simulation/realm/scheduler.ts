import { Heap, type HeapItem } from "../../runtime/queue/heap.ts";
import { seededRandom } from "../../sandbox/seeded-random.ts";

/** What tasks belong to: the cluster, or one instance of an operator. */
export class Owner {
  readonly name: string;
  /** Random numbers that follow from the seed of the run and the name. */
  readonly random: () => number;
  /** Called with an error that a task threw, or with a rejection that nothing handles. */
  readonly fail: (error: unknown) => void;
  state: "running" | "frozen" | "dead" = "running";
  /** The tasks that came due while the owner was frozen. */
  readonly held: Task[] = [];
  /** The most milliseconds for which it computes when something arrives. */
  computingMs = 0;
  /** The time until which it computes: its tasks wait. */
  busyUntil = 0;
  /** The number of tasks for which a process would stay alive. */
  alive = 0;
  /** Called after a turn of the owner that has left no such tasks. */
  onIdle: () => void = () => {};

  constructor(name: string, seed: number, fail: (error: unknown) => void) {
    this.name = name;
    this.random = seededRandom(seed);
    this.fail = fail;
  }
}

/** Work at a time. */
export interface Task extends HeapItem {
  at: number;
  readonly order: number;
  readonly owner: Owner;
  readonly run: () => void;
  isCancelled: boolean;
  keepsAlive: boolean;
  /** True for what comes from outside, such as a response. */
  isArrival: boolean;
}

/** The schedules that the operating system offers before the scheduler replaces them. */
const realTurn = setImmediate;

/** Times are multiples of this, so that sums and differences of them are exact. */
const tickMs = 1 / 64;
/** Runs begin at multiples of this. */
const runMs = 2 ** 32;
/** The turns without progress of time after which it moves on by a tick: a loop that waits for time must end. */
const mostTurns = 20_000;
/** The readings of the time within a task after which it moves on, for the same reason. */
const mostReadings = 200_000;

/**
 * Runs tasks in virtual time. Each task has a turn of the real event loop, so that all promises that it settles are
 * handled before the next one. Time stands still during a task, and jumps to the next one if nothing else is left to do.
 */
export class Scheduler {
  /** Milliseconds since the thread began. */
  private time = 0;
  private began = 0;
  private epoch = 0;
  private order = 0;
  private turns = 0;
  private readings = 0;
  private timers = new Heap<Task>(isBefore);
  private soon: Task[] = [];
  private next = 0;
  /** Tasks for the time when nothing else is due. */
  private atRest: Task[] = [];
  private mayPass: () => boolean = () => true;
  /** The owner of the running task, to which the tasks belong that it creates. */
  current!: Owner;

  /** Milliseconds since the thread began; time moves on for a task that reads it without end. */
  now(): number {
    if (++this.readings > mostReadings) {
      this.readings = 0;
      this.time += tickMs;
    }
    return this.time;
  }

  /** The time of day in milliseconds since 1970. */
  date(): number {
    return this.epoch + Math.floor(this.now() - this.began);
  }

  /** Milliseconds since the start of the run. */
  get elapsed(): number {
    return this.time - this.began;
  }

  /** Runs a task after a delay, which is rounded to ticks. */
  after(ms: number, run: () => void, owner: Owner = this.current): Task {
    const delay = Math.max(1, Math.ceil((Number.isFinite(ms) ? ms : 1) / tickMs)) * tickMs;
    const task = this.task(this.time + delay, run, owner);
    this.timers.push(task);
    return task;
  }

  /** Runs a task in the next turn. */
  immediately(run: () => void, owner: Owner = this.current): Task {
    const task = this.task(this.time, run, owner);
    this.soon.push(task);
    return task;
  }

  /** Runs a task when all that is due has run, before time passes. */
  beforeTimePasses(run: () => void, owner: Owner = this.current): Task {
    const task = this.task(this.time, run, owner);
    this.atRest.push(task);
    return task;
  }

  cancel(task: Task): void {
    if (task.isCancelled) return;
    task.isCancelled = true;
    if (task.heapIndex >= 0) this.timers.remove(task);
    this.release(task);
  }

  /** Makes a process stay alive for a task, or not. */
  keepAlive(task: Task, keeps: boolean): void {
    if (task.isCancelled || task.keepsAlive === keeps) return;
    task.keepsAlive = keeps;
    task.owner.alive += keeps ? 1 : -1;
  }

  /** Lets an owner run again: first the timers that came due meanwhile, then what has arrived, as in an event loop. */
  thaw(owner: Owner): void {
    if (owner.state !== "frozen") return;
    owner.state = "running";
    const held = owner.held.splice(0);
    for (const task of [...held.filter(({ isArrival }) => !isArrival), ...held.filter(({ isArrival }) => isArrival)])
      this.soon.push(task);
  }

  /**
   * Runs `main` as a task of an owner, and all tasks that follow, until its promise settles. Time stands still while
   * `mayPass` returns false: `main` then waits for something real.
   */
  run<T>(owner: Owner, epoch: number, main: () => Promise<T>, mayPass = (): boolean => true): Promise<T> {
    this.began = this.time = Math.ceil((this.time + 1) / runMs) * runMs;
    this.epoch = epoch;
    this.order = this.turns = this.readings = this.next = 0;
    this.timers = new Heap(isBefore);
    this.soon = [];
    this.atRest = [];
    this.mayPass = mayPass;
    this.current = owner;
    return new Promise((resolve, reject) => {
      let isDone = false;
      const end = (settle: () => void): void => {
        isDone = true;
        settle();
      };
      this.immediately(() => {
        main().then(
          (value) => end(() => resolve(value)),
          (error: unknown) => end(() => reject(error)),
        );
      });
      const turn = (): void => {
        if (isDone) return;
        try {
          const { current: last } = this;
          if (last.alive === 0 && last.state === "running") last.onIdle();
          this.turn();
        } catch (error) {
          return end(() => reject(error));
        }
        realTurn(turn);
      };
      turn();
    });
  }

  /** Runs the next task. */
  private turn(): void {
    const task = this.take();
    if (!task || task.isCancelled) return;
    const { owner } = task;
    if (owner.state === "dead") return;
    if (owner.state === "frozen") return void owner.held.push(task);
    if (owner.busyUntil > this.time) {
      task.at = owner.busyUntil;
      return this.timers.push(task);
    }
    if (task.isArrival && owner.computingMs > 0)
      owner.busyUntil = this.time + Math.ceil((owner.random() * owner.computingMs) / tickMs) * tickMs;
    task.isCancelled = true;
    this.release(task);
    this.current = owner;
    try {
      task.run();
    } catch (error) {
      owner.fail(error);
    }
  }

  /** Returns the next task: a due timer, an immediate one, or, after a jump of time, the next timer. */
  private take(): Task | undefined {
    const due = this.timers.peek();
    if (due && due.at <= this.time) return this.timers.pop();
    const soon = this.soon[this.next];
    if (soon) {
      if (++this.turns > mostTurns) {
        this.turns = 0;
        this.time += tickMs;
      }
      if (++this.next < this.soon.length && this.next < 1_000) return soon;
      this.soon.splice(0, this.next);
      this.next = 0;
      return soon;
    }
    // Work outside of the scheduler, such as loading a module, must not depend on the speed of the machine.
    if (isWaitingForSystem() || !this.mayPass()) return undefined;
    const resting = this.atRest.shift();
    if (resting) return resting;
    if (!due) throw new Error("the simulation has nothing left to do");
    this.turns = this.readings = 0;
    this.time = due.at;
    return this.timers.pop();
  }

  private task(at: number, run: () => void, owner: Owner): Task {
    owner.alive++;
    return {
      at,
      order: this.order++,
      owner,
      run,
      isCancelled: false,
      keepsAlive: true,
      isArrival: false,
      heapIndex: -1,
    };
  }

  private release({ owner, keepsAlive }: Task): void {
    if (keepsAlive) owner.alive--;
  }
}

/** Reports whether the system still works for this thread: on files, modules or keys. Open sockets and ports only wait. */
function isWaitingForSystem(): boolean {
  return process.getActiveResourcesInfo().some((type) => /req/i.test(type));
}

function isBefore(one: Task, other: Task): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
