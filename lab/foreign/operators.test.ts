import { describe, expect, it } from "vitest";
import { findProgram } from "../../test/e2e/shell.ts";
import { buildOperator, runOperator } from "./real-operator.ts";

const names = ["grafana", "jobset", "kuberay", "mongodb", "rabbitmq-2", "redis-failover", "rollouts", "zookeeper"];
const assets = process.env["KUBEBUILDER_ASSETS"];
const missing = !findProgram("go") ? "Go is not installed" : assets ? "" : "KUBEBUILDER_ASSETS is not set";

// Operators of other projects, in Go, each with a sample. Neither server runs controllers or pods.
describe.skipIf(missing !== "")(
  `operators on the embedded server and on a real one ${missing && `(${missing})`}`,
  () => {
    it.each(names)("%s makes the same objects", async (name) => {
      const operator = buildOperator(name);
      const real = await runOperator(operator, assets);
      const embedded = await runOperator(operator);
      const count = Object.keys(real.objects).length;
      console.log(`${name}: ${count} objects`);
      // More than the sample: otherwise the operator has done nothing.
      expect(count, real.log).toBeGreaterThan(1);
      expect(embedded.objects).toEqual(real.objects);
    });
  },
);
