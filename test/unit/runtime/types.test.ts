import { describe, expectTypeOf, it } from "vitest";
import { cloneJson } from "../../../src/apimachinery/clone.ts";
import { defineKind, metadataOnly, type Kind } from "../../../src/apimachinery/kind.ts";
import type {
  DeepReadonly,
  KubeList,
  KubeObject,
  LabelSelector,
  Named,
  PartialObjectMetadata,
  UnstructuredObject,
  WatchEvent,
} from "../../../src/apimachinery/meta.ts";
import { formatLabelSelector, matchesLabelSelector } from "../../../src/apimachinery/selectors.ts";
import type { Client } from "../../../src/client/client.ts";
import { mergeFrom, mergePatch } from "../../../src/client/patches.ts";
import { ConfigMap, Pod, Secret } from "../../../src/k8s/core/v1.ts";
import { Deployment } from "../../../src/k8s/apps/v1.ts";
import { asReconciler } from "../../../src/runtime/controller/reconciler.ts";
import { controllerManagedBy } from "../../../src/runtime/builders/builder.ts";
import { createOrUpdate } from "../../../src/runtime/objects/create-or-update.ts";
import { enqueueForObject, enqueueForOwner, enqueueFromMap } from "../../../src/runtime/controller/handlers.ts";
import type { Manager } from "../../../src/runtime/manager/manager.ts";
import {
  and,
  generationChanged,
  labelSelectorPredicate,
  not,
  predicateFuncs,
  type Predicate,
} from "../../../src/runtime/controller/predicates.ts";
import { channelSource, EventChannel, kindSource } from "../../../src/runtime/controller/sources.ts";
import { typedControllerManagedBy } from "../../../src/runtime/builders/typed-controller-builder.ts";
import type { AdmissionContext } from "../../../src/runtime/webhook/admission.ts";
import { hubSpoke, spoke } from "../../../src/runtime/webhook/converter.ts";
import { webhookManagedBy } from "../../../src/runtime/builders/webhook-builder.ts";

// Nothing here runs: the compiler checks the types that a user need not write.

const key = { namespace: "n", name: "a" };

describe("the types of the builder", () => {
  const build = (mgr: Manager) =>
    controllerManagedBy(mgr)
      .for(ConfigMap, {
        predicates: [
          generationChanged(),
          {
            create: ({ object, isInInitialList }) => {
              expectTypeOf(object).toEqualTypeOf<Named<ConfigMap>>();
              expectTypeOf(isInInitialList).toEqualTypeOf<boolean>();
              return true;
            },
          },
        ],
      })
      .owns(Deployment, {
        predicates: [predicateFuncs(({ spec }) => (spec?.replicas ?? 0) > 1)],
        matchEveryOwner: true,
      })
      .watches(
        Secret,
        enqueueFromMap(({ data }) => (expectTypeOf(data).toEqualTypeOf<Secret["data"]>(), [key])),
      )
      .watches(Pod, {
        update({ objectOld, objectNew }, enqueue) {
          expectTypeOf(objectOld).toEqualTypeOf<Named<Pod>>();
          enqueue({ name: objectNew.spec!.nodeName! }, 0);
        },
      })
      .watches(Pod, enqueueForOwner(Deployment))
      .owns(Deployment, {
        metadataOnly: true,
        matchEveryOwner: true,
        predicates: [
          generationChanged(),
          predicateFuncs(({ metadata }: PartialObjectMetadata) => metadata.name === "a"),
          {
            update: ({ objectOld }) => (expectTypeOf(objectOld).toEqualTypeOf<Named>(), true),
          },
        ],
      })
      .watches(
        metadataOnly(Secret),
        enqueueFromMap((object) => (expectTypeOf(object).toEqualTypeOf<Named>(), [key])),
        { predicates: [predicateFuncs((object) => object.metadata.name === "a")], optional: true },
      )
      .watches(
        Pod,
        {
          create({ object }, enqueue) {
            expectTypeOf(object).toEqualTypeOf<Named>();
            enqueue({ name: object.metadata.name }, 0);
          },
        },
        { metadataOnly: true, predicates: [labelSelectorPredicate({ matchLabels: { app: "a" } })] },
      )
      .watchesMetadata(Secret, {
        create({ object }) {
          expectTypeOf(object).toEqualTypeOf<Named>();
        },
      })
      .watchesSource(kindSource({ cache: mgr.cache, kind: Pod, handler: enqueueForObject() }));

  it("follow from its kinds", () => {
    expectTypeOf(build).returns.toHaveProperty("complete");
  });

  it("reject types of another kind", () => {
    const ofPods: Predicate<Pod> = { create: ({ object }) => object.spec?.nodeName === "n" };
    const podHandler = enqueueFromMap((pod: Pod) => [{ name: pod.spec!.nodeName! }]);
    const secretHandler = enqueueFromMap((secret: Secret) => [{ name: secret.type! }]);
    const ofDeployments = predicateFuncs((deployment: Deployment) => deployment.spec?.replicas === 1);
    const nameless = enqueueFromMap(() => [{ namespace: "n" }]);
    const reconcile = (): Promise<{ requeueAfter: string }> => Promise.resolve({ requeueAfter: "1m" });
    const wrong = (mgr: Manager) => {
      // @ts-expect-error a predicate of pods can't judge Deployments
      controllerManagedBy(mgr).owns(Deployment, { predicates: [ofPods] });
      // @ts-expect-error a handler of pods can't take Secrets
      controllerManagedBy(mgr).watches(Secret, podHandler);
      // @ts-expect-error a request needs a name
      controllerManagedBy(mgr).watches(Secret, nameless);
      // @ts-expect-error metadata alone does not have the replicas
      controllerManagedBy(mgr).for(Deployment, { metadataOnly: true, predicates: [ofDeployments] });
      // @ts-expect-error nor here
      controllerManagedBy(mgr).owns(Deployment, { metadataOnly: true, predicates: [ofDeployments] });
      // @ts-expect-error nor the type of a Secret
      controllerManagedBy(mgr).watches(Secret, secretHandler, { metadataOnly: true });
      // @ts-expect-error nor here
      controllerManagedBy(mgr).watchesMetadata(Secret, secretHandler);
      // @ts-expect-error nor where a source is made by hand
      kindSource({ cache: mgr.cache, kind: metadataOnly(Secret), handler: secretHandler });
      // @ts-expect-error there is no such option
      controllerManagedBy(mgr).withOptions({ maxConcurrency: 2 });
      // @ts-expect-error a reconciler answers with a Result
      void controllerManagedBy(mgr).for(Pod).complete({ reconcile });
      // @ts-expect-error a channel of pods has no Secrets
      new EventChannel<Pod>().send({ object: { metadata: {}, stringData: {} } });
      // @ts-expect-error nor does its handler
      channelSource(new EventChannel<Pod>(), secretHandler);
    };
    expectTypeOf(wrong).toBeFunction();
    expectTypeOf(and(ofPods, not(ofPods))).toEqualTypeOf<Predicate<Pod>>();
  });

  it("follow from the requests of a controller", () => {
    interface Region {
      readonly zone: string;
    }
    const build = (mgr: Manager) =>
      typedControllerManagedBy<Region>(mgr, { keyOf: ({ zone }) => zone })
        .watches(
          Pod,
          enqueueFromMap(({ spec }) => [{ zone: spec!.nodeName! }]),
        )
        .watches(Pod, { create: ({ object }, enqueue) => enqueue({ zone: object.metadata.name }, 0) })
        .complete({ reconcile: async (region) => expectTypeOf(region).toEqualTypeOf<Region>() && {} });
    expectTypeOf(build).returns.resolves.toHaveProperty("watch");
    const ofNames = enqueueFromMap(() => [{ name: "n" }]);
    const wrong = (mgr: Manager) => {
      // @ts-expect-error requests that are not names of objects have no object that is reconciled
      typedControllerManagedBy<Region>(mgr).for(Pod);
      // @ts-expect-error a region has a zone
      typedControllerManagedBy<Region>(mgr).watches(Pod, ofNames);
    };
    expectTypeOf(wrong).toBeFunction();
  });

  it("pass the object to an object reconciler", () => {
    const make = (client: Client) =>
      asReconciler(client, Deployment, {
        reconcile: async (deployment, ctx) => {
          expectTypeOf(deployment).toEqualTypeOf<Named<Deployment>>();
          expectTypeOf(ctx.signal).toEqualTypeOf<AbortSignal>();
          expectTypeOf(ctx.attempt).toEqualTypeOf<number>();
        },
      });
    expectTypeOf(make).returns.toHaveProperty("reconcile");
  });
});

describe("the types of the client", () => {
  it("follow from the kind", () => {
    const calls = (c: Client) => ({
      get: c.get(Pod, key),
      getOrUndefined: c.getOrUndefined(Pod, key),
      list: c.list(Pod),
      listReadonly: c.list(Pod, { readonly: true, labels: { app: "a" } }),
      create: c.create(Pod, { metadata: key }),
      update: c.update(Pod, { metadata: key }),
      patch: c.patch(Pod, key, mergePatch({})),
      apply: c.apply(Pod, { metadata: key, spec: { nodeName: "n" } }, { fieldOwner: "me" }),
      status: c.status.patch(Pod, key, mergePatch({})),
      statusUpdate: c.status.update(Pod, { metadata: key }),
      scale: c.subResource("scale").get<{ spec: { replicas: number } }>(Deployment, key),
      watch: c.watch(Pod),
      each: c.listEach(Pod),
      metadata: c.get(metadataOnly(Pod), key),
      metadataList: c.list(metadataOnly(Pod)),
      metadataWatch: c.watch(metadataOnly(Pod)),
      metadataPatch: c.patch(metadataOnly(Pod), key, mergePatch({})),
      unstructured: c.get(defineKind({ group: "g", version: "v1", kind: "Any", plural: "anys" }), key),
      kind: c.kindFor("v1", "Pod"),
      ensured: createOrUpdate(c, ConfigMap, { metadata: key }, (configMap) => {
        expectTypeOf(configMap).toEqualTypeOf<ConfigMap>();
      }),
    });
    type Calls = ReturnType<typeof calls>;
    expectTypeOf<
      Awaited<Calls["get" | "create" | "update" | "patch" | "apply" | "status" | "statusUpdate"]>
    >().toEqualTypeOf<Named<Pod>>();
    expectTypeOf<Awaited<Calls["getOrUndefined"]>>().toEqualTypeOf<Named<Pod> | undefined>();
    expectTypeOf<Awaited<Calls["list"]>>().toEqualTypeOf<KubeList<Named<Pod>>>();
    expectTypeOf<Awaited<Calls["listReadonly"]>>().toEqualTypeOf<DeepReadonly<KubeList<Named<Pod>>>>();
    expectTypeOf<Awaited<Calls["scale"]>["spec"]["replicas"]>().toEqualTypeOf<number>();
    expectTypeOf<Calls["watch"]>().toEqualTypeOf<AsyncIterable<WatchEvent<Pod>>>();
    expectTypeOf<Calls["each"]>().toEqualTypeOf<AsyncIterable<Named<Pod>>>();
    expectTypeOf<Awaited<Calls["metadata" | "metadataPatch"]>>().toEqualTypeOf<Named>();
    expectTypeOf<keyof Awaited<Calls["metadata"]>>().toEqualTypeOf<"apiVersion" | "kind" | "metadata">();
    expectTypeOf<Awaited<Calls["metadataList"]>>().toEqualTypeOf<KubeList<Named>>();
    expectTypeOf<Calls["metadataWatch"]>().toEqualTypeOf<AsyncIterable<WatchEvent>>();
    expectTypeOf<Awaited<Calls["unstructured"]>["spec"]>().toEqualTypeOf<unknown>();
    expectTypeOf<Awaited<Calls["kind"]>>().toEqualTypeOf<Kind<UnstructuredObject>>();
    expectTypeOf<Awaited<Calls["ensured"]>["object"]>().toEqualTypeOf<Named<ConfigMap>>();
  });

  it("reject types that the kind lacks", () => {
    const wrong = (c: Client, pod: Pod, secret: Secret, shared: DeepReadonly<Pod>) => {
      // @ts-expect-error a Secret is not a Pod
      void c.update(Pod, { metadata: key, stringData: {} });
      // @ts-expect-error server-side apply needs an owner
      void c.apply(Pod, { metadata: key }, {});
      // @ts-expect-error and a name
      void c.apply(Pod, { metadata: {} }, { fieldOwner: "me" });
      // @ts-expect-error a whole object is not a patch
      void c.patch(Pod, key, pod);
      // @ts-expect-error a difference is between objects of one kind
      mergeFrom<Pod>(pod, { ...secret, type: "t" });
      // @ts-expect-error a shared object can't be changed
      void c.update(Pod, shared);
      // @ts-expect-error a metadata-only object has no spec
      void c.get(metadataOnly(Pod), key).then(({ spec }) => spec);
      // @ts-expect-error there is no such policy
      void c.delete(Pod, key, { propagationPolicy: "Cascade" });
    };
    expectTypeOf(wrong).toBeFunction();
  });
});

describe("the types of copies and selectors", () => {
  it("allow changes and writes of a copy of a read-only object", () => {
    const write = (c: Client, shared: DeepReadonly<Named<Pod>>, own: Named<Pod>) => {
      const copy: Named<Pod> = cloneJson(shared);
      copy.metadata.ownerReferences = [];
      cloneJson(shared.status?.conditions ?? []).push({ type: "Ready", status: "True" });
      const ownCopy: Named<Pod> = cloneJson(own);
      ownCopy.spec = { containers: [] };
      return c.update(Pod, copy);
    };
    const copyOf = <T extends KubeObject>(object: Named<T>): Named<T> => cloneJson(object);
    expectTypeOf(write).toBeFunction();
    expectTypeOf(copyOf).toBeFunction();
  });

  it("accept a selector whose operator is a string, as in CRDs", () => {
    interface Foreign {
      readonly matchLabels?: Record<string, string>;
      readonly matchExpressions?: { key: string; operator: string; values?: string[] }[];
    }
    const select = (selector: Foreign, own: LabelSelector) => [
      matchesLabelSelector(selector, { app: "web" }),
      formatLabelSelector(selector),
      labelSelectorPredicate(selector),
      labelSelectorPredicate(own),
    ];
    expectTypeOf(select).toBeFunction();
  });
});

describe("the types of webhooks", () => {
  it("follow from the kind", () => {
    const build = (mgr: Manager) =>
      webhookManagedBy(mgr, Deployment)
        .withDefaulter({
          default(deployment, ctx) {
            expectTypeOf(deployment).toEqualTypeOf<Deployment>();
            expectTypeOf(ctx).toEqualTypeOf<AdmissionContext<Deployment>>();
            expectTypeOf(ctx.request.oldObject).toEqualTypeOf<Deployment | undefined>();
          },
        })
        .withValidator({
          validateUpdate(before, after) {
            expectTypeOf([before, after]).toEqualTypeOf<Deployment[]>();
            return ["a warning"];
          },
        })
        .withConverter(
          hubSpoke(Deployment, [
            spoke<ConfigMap, Deployment>(
              ConfigMap,
              ({ metadata }) => ({ metadata, spec: { selector: {}, template: {} } }),
              ({ metadata }) => ({ metadata }),
            ),
          ]),
        );
    expectTypeOf(build).returns.toHaveProperty("complete");
    const wrong = (mgr: Manager) => {
      // @ts-expect-error a validator of pods can't judge Deployments
      webhookManagedBy(mgr, Deployment).withValidator({ validateCreate: (pod: Pod) => [pod.spec!.nodeName!] });
    };
    expectTypeOf(wrong).toBeFunction();
  });
});
