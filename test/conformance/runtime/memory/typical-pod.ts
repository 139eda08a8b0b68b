/**
 * Returns the JSON of a pod as a ReplicaSet creates it and a kubelet runs it: 5 KB, more than a third of it managed
 * fields.
 */
export function typicalPod(number: number, namespace: string): string {
  pieces ??= JSON.stringify(pod())
    .split("<number>")
    .map((piece) => piece.split("<namespace>"));
  return pieces.map((piece) => piece.join(namespace)).join(String(100_000 + number));
}

let pieces: string[][] | undefined;

function pod(): object {
  const uid = "5f0d6a3e-1c7b-4d7e-9a51-000000<number>";
  const time = "2026-03-04T05:06:07Z";
  const labels = { "app.kubernetes.io/name": "web", "app.kubernetes.io/instance": "web-<namespace>", "pod-template-hash": "7d4b9c6f5b" }; // prettier-ignore
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "web-7d4b9c6f5b-<number>",
      generateName: "web-7d4b9c6f5b-",
      namespace: "<namespace>",
      uid,
      resourceVersion: "<number>",
      generation: 1,
      creationTimestamp: time,
      labels,
      annotations: { "kubectl.kubernetes.io/restartedAt": time, "prometheus.io/scrape": "true" },
      ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-7d4b9c6f5b", uid, controller: true, blockOwnerDeletion: true }], // prettier-ignore
      managedFields: managedFields(uid, time),
    },
    spec: {
      volumes: [{ name: "kube-api-access-x2x4z", projected: { defaultMode: 420, sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: "token" } }, { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } }] } }], // prettier-ignore
      containers: [
        {
          name: "web",
          image: "registry.example.com/team/web:1.27.3",
          args: ["--listen=:8080", "--log-level=info"],
          ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
          env: [{ name: "POD_NAME", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } } }, { name: "CACHE", value: "enabled" }], // prettier-ignore
          resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
          volumeMounts: [{ name: "kube-api-access-x2x4z", readOnly: true, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }], // prettier-ignore
          readinessProbe: { httpGet: { path: "/ready", port: "http", scheme: "HTTP" }, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }, // prettier-ignore
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
          imagePullPolicy: "IfNotPresent",
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
        },
      ],
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      dnsPolicy: "ClusterFirst",
      serviceAccountName: "web",
      nodeName: "node-17",
      securityContext: { runAsNonRoot: true },
      schedulerName: "default-scheduler",
      tolerations: ["not-ready", "unreachable"].map((key) => ({ key: `node.kubernetes.io/${key}`, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 })), // prettier-ignore
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: "PreemptLowerPriority",
    },
    status: {
      phase: "Running",
      conditions: ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => ({ type, status: "True", lastProbeTime: null, lastTransitionTime: time })), // prettier-ignore
      hostIP: "10.0.0.7",
      podIP: "10.244.13.207",
      startTime: time,
      containerStatuses: [{ name: "web", state: { running: { startedAt: time } }, lastState: {}, ready: true, restartCount: 0, image: "registry.example.com/team/web:1.27.3", imageID: `registry.example.com/team/web@sha256:${"0123456789abcdef".repeat(4)}`, containerID: `containerd://${"fedcba9876543210".repeat(4)}`, started: true }], // prettier-ignore
      qosClass: "Burstable",
    },
  };
}

function managedFields(uid: string, time: string): object[] {
  const all = (...names: string[]): object => Object.fromEntries(names.map((name) => [`f:${name}`, {}]));
  const created = {
    "f:metadata": { "f:annotations": { ".": {}, ...all("kubectl.kubernetes.io/restartedAt", "prometheus.io/scrape") }, "f:generateName": {}, "f:labels": { ".": {}, ...all("app.kubernetes.io/name", "app.kubernetes.io/instance", "pod-template-hash") }, "f:ownerReferences": { ".": {}, [`k:{"uid":"${uid}"}`]: {} } }, // prettier-ignore
    "f:spec": {
      'f:containers': { 'k:{"name":"web"}': { ".": {}, ...all("args", "image", "imagePullPolicy", "name"), "f:env": { ".": {}, 'k:{"name":"POD_NAME"}': { ".": {}, ...all("name", "valueFrom") }, 'k:{"name":"CACHE"}': { ".": {}, ...all("name", "value") } }, "f:ports": { ".": {}, 'k:{"containerPort":8080,"protocol":"TCP"}': { ".": {}, ...all("containerPort", "name", "protocol") } }, "f:readinessProbe": { ".": {}, ...all("failureThreshold", "httpGet", "periodSeconds", "successThreshold", "timeoutSeconds") }, "f:resources": { ".": {}, ...all("limits", "requests") }, ...all("securityContext", "terminationMessagePath", "terminationMessagePolicy") } }, // prettier-ignore
      ...all("dnsPolicy", "enableServiceLinks", "restartPolicy", "schedulerName", "securityContext", "serviceAccountName", "terminationGracePeriodSeconds"), // prettier-ignore
    },
  };
  const condition = (type: string): [string, object] => [`k:{"type":"${type}"}`, { ".": {}, ...all("lastProbeTime", "lastTransitionTime", "status", "type") }]; // prettier-ignore
  const ran = {
    "f:status": { "f:conditions": Object.fromEntries(["ContainersReady", "Initialized", "Ready"].map(condition)), ...all("containerStatuses", "hostIP", "hostIPs", "phase", "podIP", "podIPs", "startTime") }, // prettier-ignore
  };
  return [
    { manager: "kube-controller-manager", operation: "Update", apiVersion: "v1", time, fieldsType: "FieldsV1", fieldsV1: created }, // prettier-ignore
    { manager: "kubelet", operation: "Update", apiVersion: "v1", time, fieldsType: "FieldsV1", fieldsV1: ran, subresource: "status" }, // prettier-ignore
  ];
}
