import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import { escapeLine, Anchors } from "./markdown.ts";
import { describeStructure, describeType, hasSection, type LinkSection } from "./describe-type.ts";
import { typeOf } from "../types/type-names.ts";

/** A type with its section on a page. */
export interface PageType {
  readonly heading: string;
  readonly anchor: string;
  readonly schema: JsonSchema;
  /** The headings of the types that have a field of it. */
  readonly usedBy: Set<string>;
}

/** Collects the types of a page in the order in which they are met, and gives them headings. */
export class PageTypes {
  readonly anchors: Anchors = new Anchors();
  private readonly byKey = new Map<string | JsonSchema, PageType>();
  private readonly headings = new Set<string>();

  /** Adds a root type and all types that it reaches. */
  addRoot(kind: string, schema: JsonSchema): PageType {
    const type = this.create(kind, schema);
    this.byKey.set(schema, type);
    this.addParts(type);
    return type;
  }

  /** The types other than kinds, sorted by heading. */
  get others(): PageType[] {
    const found = [...this.byKey.values()].filter(({ usedBy }) => usedBy.size > 0);
    return found.toSorted((a, b) => (a.heading < b.heading ? -1 : 1));
  }

  /** Returns the function that links the types of fields. */
  linksFrom({ heading }: PageType): LinkSection {
    return (schema, at) => {
      const type = this.find(schema, at);
      type.usedBy.add(heading);
      return `[${escapeLine(type.heading)}](#${type.anchor})`;
    };
  }

  private find(schema: JsonSchema, at: string): PageType {
    const named = typeOf(schema);
    const key = named?.file === undefined ? schema : `${named.file}#${named.name}`;
    const known = this.byKey.get(key);
    if (known) return known;
    const type = this.create(named?.name ?? at, named?.schema ?? schema, named?.file);
    this.byKey.set(key, type);
    this.addParts(type);
    return type;
  }

  private create(name: string, schema: JsonSchema, file?: string): PageType {
    const heading = this.headings.has(name) && file !== undefined ? `${name} (${file})` : name;
    this.headings.add(heading);
    return { heading, anchor: this.anchors.add(heading), schema, usedBy: new Set() };
  }

  private addParts(type: PageType): void {
    const link = this.linksFrom(type);
    if (!hasSection(type.schema)) return void describeStructure(type.schema, type.heading, link);
    for (const [name, field] of Object.entries(type.schema.properties ?? {}))
      describeType(field, `${type.heading}.${name}`, link);
  }
}
