import { isObject } from "../../../apimachinery/is-object.ts";
import type { Kind } from "../../../apimachinery/kind.ts";
import { objectKey, type UnstructuredObject } from "../../../apimachinery/meta.ts";
import { parseYamlDocuments, YamlError } from "../../../apimachinery/yaml/parse.ts";
import type { Client } from "../../../client/client.ts";
import { mergePatch } from "../../../client/patches.ts";
import { messageOf } from "../../../errors/message-of.ts";
import type { DiffLine, EditProblem, EditResult, ObjectRow } from "../contract.ts";
import { diffYaml, yamlOf } from "../history/object-detail.ts";
import { windowAgent } from "../work/describe-request.ts";
import { isApiError } from "../../../apimachinery/status.ts";
import { lineOfField } from "./line-of-field.ts";

/** A document of an edited text. */
interface Document {
  readonly text: string;
  /** The number of lines before it. */
  readonly offset: number;
  readonly object: UnstructuredObject;
}

/** The writes of the page. Their errors are the server's. */
export class Editor {
  private readonly client: Client;
  private readonly namespace: string;

  constructor(client: Client, namespace: string) {
    this.client = client;
    this.namespace = namespace;
  }

  /** Writes the objects of a text; with `dryRun`, only returns the changes that the server would make. */
  async apply(text: string, dryRun: boolean): Promise<EditResult> {
    const { documents, problems } = readDocuments(text);
    if (problems.length > 0) return { diff: [], problems };
    const diff: DiffLine[] = [];
    let object: string | undefined;
    for (const document of documents) {
      try {
        const written = await this.write(document.object, dryRun);
        diff.push(...written.diff);
        object = written.id;
      } catch (error) {
        const found = editProblems(error, document.text);
        problems.push(...found.map(({ message, line }) => ({ message, line: line && line + document.offset })));
      }
    }
    return { diff, problems, ...(object !== undefined && { object }) };
  }

  /** Returns the number of replicas; `undefined` for an object that cannot be scaled. */
  async replicas({ group, version, kind, namespace, name }: ObjectRow): Promise<number | undefined> {
    const found = await this.client.kindFor(group ? `${group}/${version}` : version, kind);
    if (!found.subresources.includes("scale")) return undefined;
    const scale = await this.client
      .subResource("scale")
      .get<{ spec?: { replicas?: number } }>(found, keyOf({ namespace, name }));
    return scale.spec?.replicas ?? 0;
  }

  async scale(row: ObjectRow, replicas: number): Promise<EditResult> {
    return this.attempt(async () => {
      const patch = mergePatch({ spec: { replicas } });
      await this.client.subResource("scale").patch(await this.kindOf(row), keyOf(row), patch);
    });
  }

  async remove(row: ObjectRow): Promise<EditResult> {
    return this.attempt(async () =>
      this.client.delete(await this.kindOf(row), keyOf(row), { propagationPolicy: "Background" }),
    );
  }

  private kindOf({ group, version, kind }: ObjectRow): Promise<Kind<UnstructuredObject>> {
    return this.client.kindFor(group ? `${group}/${version}` : version, kind);
  }

  private async attempt(work: () => Promise<void>): Promise<EditResult> {
    try {
      await work();
      return { diff: [], problems: [] };
    } catch (error) {
      return { diff: [], problems: [{ message: messageOf(error), line: 0 }] };
    }
  }

  private async write(given: UnstructuredObject, dryRun: boolean): Promise<{ id: string; diff: DiffLine[] }> {
    const kind = await this.client.kindFor(given.apiVersion ?? "", given.kind ?? "");
    const isPlaced = kind.scope === "Cluster" || given.metadata.namespace !== undefined;
    const object = isPlaced ? given : { ...given, metadata: { ...given.metadata, namespace: this.namespace } };
    const { client } = this;
    const before = await client.getOrUndefined(kind, objectKey(object));
    // An edited revision replaces the object it was read from, so that removed fields go; anything else is applied.
    const after =
      object.metadata.resourceVersion === undefined
        ? await client.apply(kind, object as UnstructuredObject & { metadata: { name: string } }, {
            fieldOwner: windowAgent,
            dryRun,
          })
        : await client.update(kind, object, { dryRun });
    const { namespace, name } = after.metadata;
    return {
      id: `${kind.group}/${kind.plural} ${namespace ? `${namespace}/` : ""}${name}`,
      diff: diffYaml(before ? yamlOf(before) : "", yamlOf(after)),
    };
  }
}

function keyOf({ namespace, name }: Pick<ObjectRow, "namespace" | "name">): { namespace?: string; name: string } {
  return { ...(namespace && { namespace }), name };
}

/** Reads each document separately, for its place in the text. */
function readDocuments(text: string): { documents: Document[]; problems: EditProblem[] } {
  const documents: Document[] = [];
  const problems: EditProblem[] = [];
  let offset = 0;
  for (const part of text.split(/^---(?=\s|$)/m)) {
    try {
      for (const value of parseYamlDocuments(part)) {
        if (value === null || value === undefined) continue;
        if (isManifest(value)) documents.push({ text: part, offset, object: value });
        else problems.push({ message: "an object needs apiVersion, kind and metadata.name", line: offset + 1 });
      }
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      problems.push({ message: error.reason, line: offset + error.line });
    }
    offset += part.split("\n").length - 1;
  }
  if (documents.length === 0 && problems.length === 0) problems.push({ message: "the text is empty", line: 0 });
  return { documents, problems };
}

function isManifest(value: unknown): value is UnstructuredObject {
  if (!isObject(value) || typeof value["apiVersion"] !== "string" || typeof value["kind"] !== "string") return false;
  const { metadata } = value;
  return isObject(metadata) && typeof metadata["name"] === "string";
}

/** Returns the problems of a text, each with its line. */
function editProblems(error: unknown, text: string): EditProblem[] {
  if (!isApiError(error)) return [{ message: messageOf(error), line: 0 }];
  const { message = "", details } = error.status;
  const causes = (details?.causes ?? []).filter(({ field }) => field);
  if (causes.length > 0)
    return causes.map(({ field = "", message: why = "" }) => ({
      message: `${field}: ${why}`,
      line: lineOfField(text, field),
    }));
  // The server names the fields that it does not know only in its message.
  const unknown = [...message.matchAll(/(?:unknown|duplicate) field "([^"]+)"|\.(\S+): field not declared in schema/g)];
  if (unknown.length > 0)
    return unknown.map(([problem, field, path]) => ({
      message: problem,
      line: lineOfField(text, field ?? path ?? ""),
    }));
  return [{ message, line: 0 }];
}
