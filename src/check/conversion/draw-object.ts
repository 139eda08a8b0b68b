import { equalJson } from "../../apimachinery/equal.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { ObjectMeta, UnstructuredObject } from "../../apimachinery/meta.ts";
import { escapeKey, type JsonPatchOperation } from "../../apimachinery/patch/json-patch.ts";
import { ownField } from "../../apimachinery/set-field.ts";
import { edited } from "./conversion.ts";
import type { ValueDrawer } from "./draw-value.ts";
import { keptAnnotation } from "./judge-conversions.ts";
import { inShapeOf, isValid, type Version } from "./version.ts";

/** The objects of a version that are kept to be changed, and the attempts to draw a valid one. */
const [mostKept, mostAttempts] = [300, 30];

/** Draws objects that the schema of a version, its rules included, accepts: whole ones, and changes of earlier ones. */
export class ObjectDrawer {
  private readonly values: ValueDrawer;
  private readonly kept = new Map<string, UnstructuredObject[]>();
  private drawn = 0;

  constructor(values: ValueDrawer) {
    this.values = values;
  }

  /** Keeps an object, of which others are made by changes. */
  keep(version: Version, object: UnstructuredObject): void {
    const kept = this.kept.get(version.apiVersion) ?? [];
    const shaped = inShapeOf(version, { ...object, metadata: { name: "sample" } });
    const place = kept.length < mostKept ? kept.length : this.values.below(mostKept);
    if (isValid(version, shaped)) kept.splice(place, 1, shaped);
    this.kept.set(version.apiVersion, kept);
  }

  draw(version: Version): UnstructuredObject | undefined {
    return this.firstOf(() => {
      const base = this.values.chance(0.8) ? this.values.pick(this.kept.get(version.apiVersion) ?? []) : undefined;
      let object = base ?? this.drawWhole(version);
      for (let changes = base ? 1 + this.values.below(4) : 0; changes > 0; changes--)
        object = edited(object, this.drawChange(version, object)) ?? object;
      const shaped = inShapeOf(version, { ...object, metadata: this.drawMetadata(version) });
      return isValid(version, shaped) ? shaped : undefined;
    });
  }

  /** Draws a change of an object that leaves it valid, and different. */
  drawValidChange(version: Version, object: UnstructuredObject): JsonPatchOperation | undefined {
    return this.firstOf(() => {
      const change = this.drawChange(version, object);
      const changed = edited(object, change);
      const shaped = changed && inShapeOf(version, changed);
      const isFit = shaped && isValid(version, shaped) && !equalJson(shaped, object);
      return isFit ? change : undefined;
    });
  }

  /** Draws a value of a wrong type, of which the schema refuses the object. */
  drawMistake(version: Version, object: UnstructuredObject): JsonPatchOperation | undefined {
    return this.firstOf(() => {
      const { path } = this.drawChange(version, object);
      const mistake = { op: "replace", path, value: ["wrong"] };
      const wrong = path.lastIndexOf("/") > 0 ? edited(object, mistake) : undefined;
      return wrong && !isValid(version, wrong) ? mistake : undefined;
    });
  }

  private firstOf<T>(draw: () => T | undefined): T | undefined {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const found = draw();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private drawWhole({ apiVersion, kind, schema }: Version): UnstructuredObject {
    const fields = this.values.draw({ ...bodyOf(schema), type: "object", required: ["spec"] }) as object;
    return { ...fields, apiVersion, kind, metadata: {} };
  }

  private drawMetadata({ isNamespaced }: Version): ObjectMeta {
    const number = ++this.drawn;
    const uid = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    return {
      name: `sample-${number}`,
      ...(isNamespaced && { namespace: "default" }),
      uid,
      creationTimestamp: "2026-01-01T00:00:00Z",
      generation: 1,
      ...(this.values.chance(0.5) && { labels: { "example.com/label": "kept" } }),
      ...(this.values.chance(0.5) && { annotations: { [keptAnnotation]: "kept" } }),
      ...(this.values.chance(0.3) && { finalizers: ["example.com/finalizer"] }),
      ...(this.values.chance(0.3) && {
        ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid }],
      }),
    };
  }

  /** Walks down from the root of an object to a field that is set, changed or removed. */
  private drawChange({ schema }: Version, object: UnstructuredObject): JsonPatchOperation {
    let [at, value, path]: [JsonSchema, unknown, string] = [bodyOf(schema), object, ""];
    for (let depth = 1; ; depth++) {
      const child = Array.isArray(value) ? this.pickItem(at, value) : this.pickField(at, value);
      if (!child) return { op: "replace", path: path || "/spec", value: this.values.draw(at, depth) };
      path += `/${escapeKey(child.key)}`;
      const isInner = typeof child.value === "object" && child.value !== null;
      if (!isInner || this.values.chance(0.15)) {
        if (child.value !== undefined && !child.isRequired && this.values.chance(0.3)) return { op: "remove", path };
        return { op: "replace", path, value: this.values.draw(child.schema, depth) };
      }
      [at, value] = [child.schema, child.value];
    }
  }

  private pickItem({ items }: JsonSchema, value: readonly unknown[]): Child | undefined {
    if (!items || value.length === 0 || this.values.chance(0.3)) return undefined;
    const index = this.values.below(value.length);
    return { key: String(index), schema: items, value: value[index], isRequired: false };
  }

  private pickField(schema: JsonSchema, value: unknown): Child | undefined {
    const { properties = {}, additionalProperties: additional, required = [] } = schema;
    const fields = isObject(value) ? value : {};
    const present = Object.keys(fields).filter((name) => properties[name] ?? additional);
    const key = this.values.pick(this.values.chance(0.5) ? present : Object.keys(properties));
    if (key === undefined) return undefined;
    const child = properties[key] ?? (typeof additional === "object" ? additional : {});
    return { key, schema: child, value: ownField(fields, key), isRequired: required.includes(key) };
  }
}

interface Child {
  readonly key: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly isRequired: boolean;
}

/** Returns the schema of an object without those of its type and metadata. */
function bodyOf(schema: JsonSchema): JsonSchema {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}
