import type { ServedResource } from "../../registry/served-resource.ts";
import { encodeV2, type V2Document } from "./encode-v2.ts";
import { v2Paths } from "./v2-paths.ts";
import { v2Schemas } from "./v2-schemas.ts";

/** The form that kubectl and client-go ask for, by a name that is no media type; they take the right one. */
export const protobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

export function wantsProtobuf(accept: string | undefined): boolean {
  return accept?.includes("application/com.github.proto-openapi.spec.v2") ?? false;
}

/** Renders all definitions and paths as one document; in protobuf each character is a byte. */
export function openApiV2(resources: readonly ServedResource[], form: "json" | "protobuf"): string {
  const document = v2Document(resources);
  return form === "json" ? JSON.stringify(document) : encodeV2(document);
}

function v2Document(resources: readonly ServedResource[]): V2Document {
  const info = { title: "Kubernetes", version: "1.36" };
  return { swagger: "2.0", info, paths: v2Paths(resources), definitions: v2Schemas(resources) };
}
