// Variants of the correct operator that are correct as well, and look like one of the bugs.
import { mergePatch } from "../../../dist/index.js";
import { CacheOperator } from "./cache-operator.js";
import { Claim, Service } from "./kinds.js";

export const nearMisses = {
  "size-in-status": class extends CacheOperator {
    statusOf(cache, ready) {
      return { ...super.statusOf(cache, ready), replicas: cache.spec.replicas };
    }
  },
  "first-size-in-status": class extends CacheOperator {
    statusOf(cache, ready) {
      return { ...super.statusOf(cache, ready), initialReplicas: cache.status?.initialReplicas ?? cache.spec.replicas };
    }
  },
  // The size of a claim stays as it is.
  "size-of-claim-in-status": class extends CacheOperator {
    async apply(cache) {
      await super.apply(cache);
      const { name, namespace } = cache.metadata;
      this.claim = await this.client.getOrUndefined(Claim, { name: `${name}-data`, namespace });
    }
    statusOf(cache, ready) {
      const size = this.claim?.spec.resources.requests.storage;
      return { ...super.statusOf(cache, ready), ...(size !== undefined && { storage: { size } }) };
    }
  },
  // The memory of a cache stays as it was at first.
  "fixed-memory-in-status": class extends CacheOperator {
    async apply({ spec, ...cache }) {
      await super.apply({ ...cache, spec: { ...spec, memoryMB: cache.status?.memoryMB ?? spec.memoryMB } });
    }
    statusOf(cache, ready) {
      return { ...super.statusOf(cache, ready), memoryMB: cache.status?.memoryMB ?? cache.spec.memoryMB };
    }
  },
  // Chance decides whether it makes two more writes.
  "marks-at-times": class extends CacheOperator {
    async apply(cache) {
      await super.apply(cache);
      if (!(this.isMarking ??= Math.random() < 0.3)) return;
      this.isMarking = false;
      for (const mark of ["new", null]) {
        const annotations = { "check.example.com/mark": mark };
        await this.client.patch(Service, cache.metadata, mergePatch({ metadata: { annotations } }));
      }
    }
  },
  // It asks a server that is not the API server, and does not mind that nobody answers.
  "asks-another-server": class extends CacheOperator {
    async start() {
      await fetch("http://127.0.0.1:1/").catch(() => {});
      return super.start();
    }
  },
  // The same, once it finds an object that another process has made.
  "asks-another-server-after-a-restart": class extends CacheOperator {
    async apply(cache) {
      const isOwn = (this.seen ??= cache.status === undefined);
      if (!isOwn) await fetch("http://127.0.0.1:1/").catch(() => {});
      return super.apply(cache);
    }
  },
  // It computes without an end where time stands still.
  "computes-in-a-container": class extends CacheOperator {
    async apply(cache) {
      while (process.pid === 1);
      return super.apply(cache);
    }
  },
  // A simulated process has the PID 1, as in a container.
  "other-size-in-a-container": class extends CacheOperator {
    apply({ spec, ...cache }) {
      return super.apply({ ...cache, spec: { ...spec, replicas: process.pid === 1 ? 1 : spec.replicas } });
    }
  },
};
