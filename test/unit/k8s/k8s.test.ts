import { readdirSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { loadBuiltins } from "../../../src/apimachinery/builtin/load-builtins.ts";
import { apiVersionOf, type Kind } from "../../../src/apimachinery/kind.ts";
import { Deployment } from "../../../src/k8s/apps/v1.ts";
import {
  Namespace,
  Pod,
  type Container,
  type PersistentVolumeAccessMode,
  type PersistentVolumeClaimSpec,
  type PullPolicy,
  type SecretType,
  type ServiceSpec,
  type ServiceType,
} from "../../../src/k8s/core/v1.ts";

describe("tsop/k8s", () => {
  it("has a Kind for every resource of the server with metadata", async () => {
    const folder = new URL("../../../src/k8s/", import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
    const modules = await Promise.all(
      files.map((path): Promise<Record<string, Kind>> => import(new URL(path, folder).href)),
    );
    const kinds = modules.flatMap((module) => Object.values(module));
    const served = new Set(kinds.map((kind) => `${apiVersionOf(kind)} ${kind.plural} ${kind.scope}`));
    const { resources, type } = loadBuiltins();
    const missing = resources.filter(
      (row) =>
        type(row.type)?.properties?.["metadata"] &&
        !served.has(`${apiVersionOf(row)} ${row.plural} ${row.namespaced ? "Namespaced" : "Cluster"}`),
    );
    expect(missing).toEqual([]);
  });

  it("has the right scopes and subresources", () => {
    expect(Namespace.scope).toBe("Cluster");
    expect(Deployment.subresources).toEqual(["scale", "status"]);
  });

  it("types times as strings, enums as unions, and every serialized field", () => {
    expectTypeOf<Pod["metadata"]["creationTimestamp"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Container["imagePullPolicy"]>().toEqualTypeOf<"Always" | "IfNotPresent" | "Never" | undefined>();
    expectTypeOf<Deployment["kind"]>().toEqualTypeOf<"Deployment" | undefined>();
    expectTypeOf(Pod).toEqualTypeOf<Kind<Pod>>();
  });

  it("types a named string as the fields that have it", () => {
    expectTypeOf<ServiceType | undefined>().toEqualTypeOf<ServiceSpec["type"]>();
    expectTypeOf<PullPolicy | undefined>().toEqualTypeOf<Container["imagePullPolicy"]>();
    expectTypeOf<PersistentVolumeAccessMode[] | undefined>().toEqualTypeOf<PersistentVolumeClaimSpec["accessModes"]>();
    expectTypeOf<SecretType>().toEqualTypeOf<string>();
  });
});
