import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Lists the tests that passed only after a retry: each is a race to fix, whatever the exit code is. */
export class FlakyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) => [...module.children.allTests()]).filter(isFlaky);
    if (flaky.length === 0) return;
    console.log(`\n Flaky  ${flaky.length} passed only when tried again:`);
    for (const test of flaky) {
      console.log(`        ${test.module.relativeModuleId} > ${test.fullName}`);
      const [error] = test.result().errors ?? [];
      console.log(`          at first: ${error?.message}`);
      if (error?.diff) console.log(error.diff);
    }
  }
}

function isFlaky(test: TestCase): boolean {
  return test.diagnostic()?.flaky ?? false;
}
