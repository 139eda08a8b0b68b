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

import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const project = "cronjob-operator";
const namespace = `${project}-system`;
const manager = `${project}-controller-manager`;
const image = `example.com/${project}:v0.0.1`;
const { KIND = "kind", KIND_CLUSTER = `${project}-test-e2e`, CONTAINER_TOOL = "docker" } = process.env;
const context = `kind-${KIND_CLUSTER}`;

/** Runs a program and returns its output. */
function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

const kubectl = (...args: string[]): string => run("kubectl", "--context", context, ...args);
const make = (...args: string[]): string => run("make", ...args, `KUBECTL=kubectl --context ${context}`);

describe("the operator in a cluster", () => {
  beforeAll(() => {
    make("docker-build", `IMG=${image}`, `CONTAINER_TOOL=${CONTAINER_TOOL}`);
    run(KIND, "load", "docker-image", image, "--name", KIND_CLUSTER);
    kubectl("create", "namespace", namespace);
    kubectl("label", "namespace", namespace, "pod-security.kubernetes.io/enforce=restricted");
    make("deploy", `IMG=${image}`);
  });

  afterAll(() => {
    make("undeploy", "ignore-not-found=true");
  });

  it("runs under restricted pod security", () => {
    kubectl("-n", namespace, "rollout", "status", `deployment/${manager}`, "--timeout=180s");
    const pods = kubectl("-n", namespace, "get", "pods", "-l", "control-plane=controller-manager", "-o", "name");
    expect(pods.trim().split("\n")).toHaveLength(1);
  });

  it("serves metrics to authorized clients", () => {
    const binding = `${project}-metrics-e2e`;
    const role = `--clusterrole=${project}-metrics-reader`;
    kubectl("create", "clusterrolebinding", binding, role, `--serviceaccount=${namespace}:${manager}`);
    const token = kubectl("-n", namespace, "create", "token", manager).trim();
    const url = `https://${manager}-metrics-service.${namespace}.svc:8443/metrics`;
    const container = {
      name: "curl",
      image: "curlimages/curl:8.11.1",
      command: ["curl", "-sfk", "--retry", "10", "--retry-all-errors", "-H", `Authorization: Bearer ${token}`, url],
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: "RuntimeDefault" },
      },
    };
    const overrides = JSON.stringify({ spec: { containers: [container] } });
    try {
      kubectl("-n", namespace, "run", "curl", "--restart=Never", "--image=curl", `--overrides=${overrides}`);
      kubectl("-n", namespace, "wait", "--for=jsonpath={.status.phase}=Succeeded", "pod/curl", "--timeout=120s");
      expect(kubectl("-n", namespace, "logs", "curl")).toContain("controller_runtime_");
    } finally {
      kubectl("delete", "clusterrolebinding", binding);
      kubectl("-n", namespace, "delete", "pod", "curl", "--ignore-not-found");
    }
  });
});
