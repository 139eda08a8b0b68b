import { parseArgs } from "node:util";
import { beginChaos, type Chaos } from "./chaos.ts";
import { embeddedServer } from "./embedded-server.ts";
import { heapInUse } from "./heap-in-use.ts";
import { realServer } from "./real-server.ts";
import { slope } from "./slope.ts";

const roundMs = 60_000;
/** A pause of some seconds between faults: an operator that never recovers does no work. */
const mishapChance = 0.05;
const megabyte = 1024 * 1024;

interface Sample {
  readonly hours: number;
  readonly heapMb: number;
  readonly rssMb: number;
}

/** Runs rounds of chaos until the time is up; resolves with the exit code. */
export async function soak(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "10" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      "changes-per-second": { type: "string", default: "5" },
      real: { type: "boolean", default: false },
    },
  });
  const [minutes, seed, rate] = [values.minutes, values.seed, values["changes-per-second"]].map(Number);
  if (![minutes, seed, rate].every((value) => value! > 0)) throw new Error(`numbers are needed: ${args.join(" ")}`);
  const assets = process.env["KUBEBUILDER_ASSETS"];
  if (values.real && !assets) throw new Error("--real needs KUBEBUILDER_ASSETS, the folder of etcd and kube-apiserver");
  let unhandled = 0;
  process.on("unhandledRejection", (reason) => {
    unhandled++;
    console.error("an unhandled rejection:", reason);
  });
  console.log(
    `soak: ${minutes} min, seed ${seed}, ${rate} changes a second, ${values.real ? "real" : "embedded"} server`,
  );

  const server = values.real ? await realServer(assets!) : await embeddedServer();
  const samples: Sample[] = [];
  let missed: unknown;
  let chaos: Chaos | undefined;
  try {
    // Restarts the server every other round.
    const perRound = Math.ceil((roundMs / 1000) * rate!);
    chaos = await beginChaos(server, { seed: seed!, mishapChance, pauseMs: 2_000 / rate!, restartEvery: 2 * perRound });
    const started = performance.now();
    const end = started + minutes! * 60_000;
    while (performance.now() < end) {
      await chaos.goWrong(perRound);
      await chaos.settle();
      samples.push(sample((performance.now() - started) / 3_600_000));
      report(samples, chaos);
    }
    await chaos.stop();
  } catch (error) {
    missed = error;
    console.error(error);
  } finally {
    await server.stop();
  }
  const failed = missed !== undefined || unhandled > 0 || chaos?.counts.leaks !== 0;
  console.log(JSON.stringify({ ...chaos?.counts, rounds: samples.length, unhandled, ...trend(samples), failed }));
  return failed ? 1 : 0;
}

function sample(hours: number): Sample {
  return { hours, heapMb: heapInUse() / megabyte, rssMb: process.memoryUsage().rss / megabyte };
}

function report(samples: readonly Sample[], { counts }: Chaos): void {
  const { hours, heapMb, rssMb } = samples.at(-1)!;
  const memory = `heap ${heapMb.toFixed(1)} MB, RSS ${rssMb.toFixed(0)} MB`;
  console.log(`${(hours * 60).toFixed(1)} min: nothing missed, ${memory}, ${JSON.stringify(counts)}`);
}

/** Uses the second half only: loading and compiling code makes the first half grow. */
function trend(samples: readonly Sample[]): object {
  const late = samples.slice(Math.floor(samples.length / 2));
  const medianOf = (value: (sample: Sample) => number): number =>
    Math.round(slope(late.map((each) => [each.hours, value(each)])) * 100) / 100;
  return { heapMbPerHour: medianOf(({ heapMb }) => heapMb), rssMbPerHour: medianOf(({ rssMb }) => rssMb) };
}
