/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import {
  cloneJson,
  controllerManagedBy,
  equalJson,
  objectKey,
  setCondition,
  setControllerReference,
  type Client,
  type Controller,
  type EventRecorder,
  type Manager,
  type Named,
  type NewCondition,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
} from "tsop";
import { Pod } from "tsop/k8s/core/v1";
import { At } from "../api/v1alpha1/zz_generated.kinds.ts";

type Phase = NonNullable<NonNullable<At["status"]>["phase"]>;

/** Runs the command of each At once, in a pod, at the scheduled time. */
export class AtReconciler implements Reconciler {
  private readonly client: Client;
  private readonly events: EventRecorder;
  private readonly now: () => number;

  constructor(client: Client, events: EventRecorder, now: () => number = Date.now) {
    this.client = client;
    this.events = events;
    this.now = now;
  }

  // +kubebuilder:rbac:groups=at.example.com,resources=ats,verbs=get;list;watch
  // +kubebuilder:rbac:groups=at.example.com,resources=ats/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=at.example.com,resources=ats/finalizers,verbs=update
  // +kubebuilder:rbac:groups=core,resources=pods,verbs=get;list;watch;create
  // +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
  async reconcile(req: Request, ctx: ReconcileContext): Promise<Result> {
    ctx.log.info("==== Reconciling at ====");
    const at = await this.client.getOrUndefined(At, req);
    if (!at || at.metadata.deletionTimestamp) return {}; // deleted; its pod is deleted with it
    const phase = at.status?.phase ?? "PENDING";
    ctx.log.info(`Phase: ${phase}`);
    switch (phase) {
      case "PENDING":
        return this.waitForTime(at, ctx);
      case "RUNNING":
        return this.watchPod(at, ctx);
      case "DONE":
        return {};
    }
  }

  setupWithManager(mgr: Manager): Promise<Controller> {
    return controllerManagedBy(mgr).for(At).owns(Pod).named("at").complete(this);
  }

  private async waitForTime(at: Named<At>, ctx: ReconcileContext): Promise<Result> {
    const time = parseSchedule(at.spec.schedule);
    if (time === undefined) return this.refuse(at, ctx);
    const wait = time - this.now();
    ctx.log.info("Schedule parsing done", { Result: `${wait / 1000}s` });
    const scheduled = {
      type: "Scheduled",
      status: "True",
      reason: "TimeKnown",
      message: `runs at ${at.spec.schedule}`,
    } as const;
    if (wait > 0) {
      await this.report(at, "PENDING", scheduled);
      return { requeueAfter: wait };
    }
    ctx.log.info("Time to execute", { "Ready to execute": at.spec.command });
    await this.report(at, "RUNNING", scheduled);
    return {}; // the status update triggers another reconcile
  }

  /** Reports an invalid schedule once and waits for the user to change the object. */
  private async refuse(at: Named<At>, ctx: ReconcileContext): Promise<Result> {
    const message = `schedule "${at.spec.schedule}" is not a UTC time such as 2026-03-19T08:00:00Z`;
    ctx.log.info("Schedule can't be read", { schedule: at.spec.schedule });
    const reported = await this.report(at, "PENDING", {
      type: "Scheduled",
      status: "False",
      reason: "InvalidSchedule",
      message,
    });
    if (reported) this.events.event(at, "Warning", "InvalidSchedule", "Schedule", message);
    return {};
  }

  private async watchPod(at: Named<At>, ctx: ReconcileContext): Promise<Result> {
    const pod = await this.client.getOrUndefined(Pod, objectKey(at));
    if (!pod) {
      const wanted = podFor(at);
      setControllerReference(at, wanted);
      await this.client.create(Pod, wanted);
      ctx.log.info("Pod created successfully", { pod: at.metadata.name });
      return {};
    }
    const ended = pod.status?.phase;
    if (ended !== "Succeeded" && ended !== "Failed") return {};
    const succeeded = ended === "Succeeded";
    const message = succeeded ? "the command ended well" : (pod.status?.message ?? "the command failed");
    await this.report(at, "DONE", {
      type: "Succeeded",
      status: succeeded ? "True" : "False",
      reason: `Pod${ended}`,
      message,
    });
    ctx.log.info("Done", { pod: pod.metadata.name, succeeded });
    return {};
  }

  /** Writes the status if it changed; returns whether it did. */
  private async report(at: Named<At>, phase: Phase, condition: NewCondition): Promise<boolean> {
    const conditions = cloneJson(at.status?.conditions ?? []);
    setCondition(conditions, { ...condition, observedGeneration: at.metadata.generation });
    const status = { phase, conditions };
    if (equalJson(status, at.status)) return false;
    await this.client.status.update(At, { ...at, status });
    return true;
  }
}

/** Returns milliseconds since 1970. A time without a zone is in UTC. */
function parseSchedule(schedule: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[-+]\d{2}:\d{2})?$/.test(schedule)) return undefined;
  const time = Date.parse(/(Z|[-+]\d{2}:\d{2})$/.test(schedule) ? schedule : `${schedule}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function podFor({ metadata: { name, namespace }, spec }: Named<At>): Pod {
  return {
    metadata: { name, namespace, labels: { app: name } },
    spec: {
      restartPolicy: "Never",
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: "RuntimeDefault" } },
      containers: [
        {
          name: "busybox",
          image: "busybox:1.37",
          command: ["sh", "-c", spec.command],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        },
      ],
    },
  };
}
