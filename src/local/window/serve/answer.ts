import type { ObjectRow } from "../contract.ts";
import type { Editor } from "../edit/editor.ts";
import { diffRevisions, objectDetail } from "../history/object-detail.ts";
import type { Recorder } from "../recorder.ts";

/** The sources of the answers. */
export interface Desk {
  readonly recorder: Recorder;
  /** Absent if the page may only read. */
  readonly editor: Editor | undefined;
}

/** An answer as JSON, with its status. */
export interface Answer {
  readonly status: number;
  readonly value: unknown;
}

/** Answers the questions of the page. */
export async function answerQuestion(
  { recorder, editor }: Desk,
  path: string,
  query: URLSearchParams,
): Promise<Answer> {
  const { history } = recorder;
  const text = (name: string): string => query.get(name) ?? "";
  const number = (name: string): number | undefined => (query.get(name) ? Number(query.get(name)) : undefined);
  switch (path) {
    case "/api/object": {
      const detail = objectDetail(history, text("id"), number("n"));
      // An object that cannot be scaled any more is still shown.
      const replicas =
        detail && !detail.row.deleted ? await editor?.replicas(detail.row).catch(() => undefined) : undefined;
      return found(detail && { ...detail, ...(replicas !== undefined && { replicas }) });
    }
    case "/api/diff": {
      const biography = history.get(text("id"));
      return found(biography && diffRevisions(biography, number("from"), number("to")));
    }
    case "/api/past":
      return found(history.at(number("at") ?? 0));
    case "/api/request":
      return found(recorder.requestDetail(number("n") ?? 0));
    case "/api/reconcile":
      return found(recorder.reconcileDetail(text("id")));
  }
  return found(undefined);
}

/** Carries out a request of the page. */
export async function carryOut(
  { recorder, editor }: Desk,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  if (!editor) return { status: 403, value: { message: "this page may only read" } };
  const { text, id, replicas, dryRun } = body;
  if (path === "/api/apply" && typeof text === "string") return found(await editor.apply(text, dryRun !== false));
  const row = typeof id === "string" ? latestRow(recorder, id) : undefined;
  if (path === "/api/scale" && row && typeof replicas === "number") return found(await editor.scale(row, replicas));
  if (path === "/api/delete" && row) return found(await editor.remove(row));
  return found(undefined);
}

function latestRow(recorder: Recorder, id: string): ObjectRow | undefined {
  return recorder.history.get(id)?.revisions.at(-1)?.row;
}

function found(value: unknown): Answer {
  if (value !== undefined) return { status: 200, value };
  return { status: 404, value: { message: "not found; the history may have dropped it" } };
}
