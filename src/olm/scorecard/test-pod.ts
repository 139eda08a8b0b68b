import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { TestSpec } from "./configuration.ts";

/** Settings of the pods of tests. */
export interface TestPodOptions {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly untarImage: string;
  /** Image of a container that keeps the test's own files within reach. */
  readonly storageImage: string;
  readonly podSecurity: "legacy" | "restricted";
}

/** Name of the container that runs the test. */
export const testContainer = "scorecard-test";

/** Name of the container that keeps running after the test, so that the test's own files can be copied. */
export const storageContainer = "scorecard-gather";

/** Returns the pod of a test, whose bundle is in a ConfigMap and is unpacked to /bundle. */
export function testPod(
  spec: TestSpec,
  configMap: string,
  { namespace, serviceAccount, untarImage, storageImage, podSecurity }: TestPodOptions,
): UnstructuredObject {
  const restricted = podSecurity === "restricted";
  const security = restricted
    ? { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } } }
    : {};
  const path = storagePath(spec);
  const field = { fieldRef: { fieldPath: "metadata.namespace" } };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: "scorecard-test-",
      namespace,
      labels: { app: "scorecard-test", testrun: configMap },
    },
    spec: {
      serviceAccountName: serviceAccount,
      restartPolicy: "Never",
      ...(restricted && { securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } } }),
      initContainers: [
        {
          name: "scorecard-untar",
          image: untarImage,
          imagePullPolicy: "IfNotPresent",
          args: ["tar", "xvzf", "/scorecard/bundle.tar.gz", "-C", "/scorecard-bundle"],
          volumeMounts: [
            { name: "scorecard-bundle", mountPath: "/scorecard", readOnly: true },
            { name: "scorecard-untar", mountPath: "/scorecard-bundle" },
          ],
          ...security,
        },
      ],
      containers: [
        {
          name: testContainer,
          image: spec.image,
          imagePullPolicy: "IfNotPresent",
          ...(spec.entrypoint && { command: [...spec.entrypoint] }),
          env: [
            { name: "SCORECARD_NAMESPACE", valueFrom: field },
            ...(path === undefined ? [] : [{ name: "SCORECARD_STORAGE", value: path }]),
          ],
          volumeMounts: [
            { name: "scorecard-untar", mountPath: "/bundle", readOnly: true },
            ...(path === undefined ? [] : [{ name: "scorecard-storage", mountPath: path }]),
          ],
          ...security,
        },
        ...(path === undefined
          ? []
          : [
              {
                name: storageContainer,
                image: storageImage,
                imagePullPolicy: "IfNotPresent",
                command: ["sleep", "1000"],
                volumeMounts: [{ name: "scorecard-storage", mountPath: path, readOnly: true }],
                ...security,
              },
            ]),
      ],
      volumes: [
        { name: "scorecard-untar", emptyDir: {} },
        { name: "scorecard-bundle", configMap: { name: configMap } },
        ...(path === undefined ? [] : [{ name: "scorecard-storage", emptyDir: {} }]),
      ],
    },
  };
}

/** Returns the folder of a test's own files. */
export function storagePath({ storage }: TestSpec): string | undefined {
  const { spec } = (storage ?? {}) as { spec?: { mountPath?: { path?: string } } };
  return spec?.mountPath?.path || undefined;
}
