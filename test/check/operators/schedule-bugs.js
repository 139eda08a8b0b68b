// Variants of the correct operator with bugs that two faults, other delays or the time show.
import { randomBytes } from "node:crypto";
import {
  TerminalError,
  ignoreNotFound,
  isApiError,
  mergePatch,
  removeFinalizer,
  setControllerReference,
} from "../../../dist/index.js";
import { CacheOperator, finalizer, registrationKey } from "./cache-operator.js";
import { Cache, ConfigMap, Deployment } from "./kinds.js";

/** Notes on the Deployment what it does, until the work of a generation is done. */
class PhaseNotes extends CacheOperator {
  async ensureDeployment(cache) {
    await super.ensureDeployment(cache);
    const { annotations = {} } = (await this.live.get(Deployment, cache.metadata)).metadata;
    const isNoted = "check.example.com/phase" in annotations;
    if (isNoted && cache.status?.observedGeneration === cache.metadata.generation) return;
    await this.notePhases(cache);
  }
  note(cache, phase) {
    const annotations = { "check.example.com/phase": phase };
    return this.client.patch(Deployment, cache.metadata, mergePatch({ metadata: { annotations } }));
  }
}

export const scheduleBugs = {
  // Its limit of tries counts the refusals of all writes since the start.
  "second-refusal-is-final": class extends CacheOperator {
    failures = 0;
    async apply(cache) {
      try {
        await super.apply(cache);
      } catch (error) {
        if (isApiError(error) && ++this.failures > 1) throw new TerminalError(error.message);
        throw error;
      }
    }
  },
  // It tries again at once, and does not look at the second answer.
  "second-try-ignored": class extends CacheOperator {
    async ensure(...wanted) {
      await super.ensure(...wanted).catch(() => super.ensure(...wanted).catch(() => {}));
    }
  },
  // The timer does not know that the cache may be gone by then.
  "retry-outlives-its-object": class extends CacheOperator {
    async ensureRegistration(cache) {
      await super.ensureRegistration(cache).catch(() => {
        setTimeout(() => void super.ensureRegistration(cache).catch(() => {}), 2_000);
      });
    }
  },
  // The name of an object is noted before it is created, except when it is created again.
  "recovery-not-noted": class extends CacheOperator {
    async ensureConfig(cache) {
      await super.ensureConfig(cache);
      const { namespace } = cache.metadata;
      const { audit } = (await this.live.get(Cache, cache.metadata)).status ?? {};
      if (audit === undefined) {
        const name = auditNameOf(cache);
        await this.note(cache, name);
        await this.createAudit(cache, name);
      } else if (!(await this.live.getOrUndefined(ConfigMap, { namespace, name: audit }))) {
        const name = auditNameOf(cache);
        await this.createAudit(cache, name);
        await this.note(cache, name);
      }
    }
    async createAudit(cache, name) {
      const audit = { metadata: { name, namespace: cache.metadata.namespace } };
      setControllerReference(cache, audit);
      await this.client.create(ConfigMap, audit);
    }
    async note(cache, audit) {
      const { status } = await this.client.status.patch(Cache, cache.metadata, mergePatch({ status: { audit } }));
      cache.status = status;
    }
    async reportStatus(cache) {
      await super.reportStatus(await this.live.get(Cache, cache.metadata));
    }
    statusOf(cache, ready) {
      return { ...super.statusOf(cache, ready), audit: cache.status?.audit };
    }
  },
  // What could not be deleted is remembered, so that the cache can go.
  "cleaning-only-in-memory": class extends CacheOperator {
    async finalize(cache) {
      const clean = () => this.client.delete(ConfigMap, registrationKey(cache)).catch(ignoreNotFound);
      const tryAgain = () => void setTimeout(() => void clean().catch(tryAgain), 1_000);
      await clean().catch(tryAgain);
      if (removeFinalizer(cache, finalizer)) await this.client.update(Cache, cache);
    }
  },
  // It gives up to delete the registration after two failures, so that the cache can go.
  "deletion-given-up": class extends CacheOperator {
    failures = 0;
    async finalize(cache) {
      try {
        await this.client.delete(ConfigMap, registrationKey(cache)).catch(ignoreNotFound);
      } catch (error) {
        if (++this.failures < 2) throw error;
      }
      if (removeFinalizer(cache, finalizer)) await this.client.update(Cache, cache);
    }
  },
  // Two patches are under way at the same time, and the server takes them as they come.
  "writes-overtake-each-other": class extends PhaseNotes {
    async notePhases(cache) {
      const begun = this.note(cache, "begun").catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 5));
      await Promise.all([begun, this.note(cache, "done")]);
    }
  },
  // A note names no version of the object: one of a former leader may arrive when its successor has done the work.
  "note-of-a-former-leader": class extends PhaseNotes {
    async notePhases(cache) {
      await this.note(cache, "begun");
      await this.note(cache, "done");
    }
  },
  // What fails at first after a start is taken for the work of the instance before it.
  "first-failure-after-a-start-ignored": class extends CacheOperator {
    async apply(cache) {
      const isTakenOver = cache.status !== undefined && !this.hasBegun;
      this.hasBegun = true;
      await super.apply(cache).catch((error) => {
        if (!isTakenOver) throw error;
      });
    }
  },
  // It compares times of a place, where a day in spring has no hour from two to three.
  "age-in-local-time": class extends CacheOperator {
    async reconcile(request) {
      await super.reconcile(request);
      return { requeueAfter: 10_000 };
    }
    shapeDeployment(cache, deployment) {
      super.shapeDeployment(cache, deployment);
      const age = localTime(new Date()) - localTime(new Date(cache.metadata.creationTimestamp));
      deployment.spec.minReadySeconds = age < 3_600_000 ? 1 : 0;
    }
  },
  // Ten seconds after its start, it takes what existed before for left over.
  "forgets-after-a-restart": class extends CacheOperator {
    began = Date.now();
    async ensureService(cache) {
      const isOld = new Date(cache.metadata.creationTimestamp).getTime() < this.began - 1_000;
      if (!isOld) return super.ensureService(cache);
      setTimeout(() => {
        const annotations = { "check.example.com/owner": "unknown" };
        this.client.patch(Deployment, cache.metadata, mergePatch({ metadata: { annotations } })).catch(() => {});
      }, 10_000);
      return super.ensureService(cache);
    }
  },
  // Another operator has an opinion of its own about the size.
  "neighbour-with-another-size": class extends CacheOperator {
    static leaderElection = false;
    replicasOf(cache) {
      return super.replicasOf(cache) + 1;
    }
  },
};

function localTime(date) {
  return Date.parse(date.toLocaleString("en-US", { timeZone: "Europe/Berlin" }));
}

/** Returns a name as the server generates it. */
function auditNameOf({ metadata: { name } }) {
  const letters = "bcdfghjklmnpqrstvwxz2456789";
  return `${name}-${Array.from(randomBytes(5), (byte) => letters[byte % letters.length]).join("")}`;
}
