// A worker of a simulation, for programs that test it from outside.
import { pathToFileURL } from "node:url";
import { MessageChannel, Worker } from "node:worker_threads";

/** Starts the worker of compiled sources. With `--expose-gc`, `memory()` returns what is in use after a collection. */
export function startWorker(sources, scripts, folder) {
  const entry = pathToFileURL(`${sources}/simulation/worker.js`).href;
  const { port1: meter, port2 } = new MessageChannel();
  const code = `
    const { meter } = require("node:worker_threads").workerData;
    meter.on("message", () => {
      gc();
      meter.postMessage(process.memoryUsage());
    });
    import(${JSON.stringify(entry)}).then(({ runWorker }) => runWorker());`;
  const workerData = { scripts, endpoint: undefined, folder, meter: port2 };
  const worker = new Worker(code, { eval: true, workerData, transferList: [port2] });
  const answerOf = (asked, message) =>
    new Promise((resolve, reject) => {
      asked.once("message", (answer) => {
        worker.off("error", reject);
        resolve(answer);
      });
      worker.once("error", reject);
      asked.postMessage(message);
    });
  return {
    async run(message) {
      const answer = await answerOf(worker, message);
      if (answer.type === "error") throw new Error(answer.error.stack);
      return answer.record;
    },
    memory: () => answerOf(meter, undefined),
    async terminate() {
      meter.close();
      await worker.terminate();
    },
  };
}
