import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { checkOutRevision, type CheckOutOptions } from "./check-out-revision.ts";
import { openCheckedOperator, type CheckedHost, type CheckedOperator, type OpenedSource } from "./checked-operator.ts";

/** The version of an operator from which users upgrade. */
export interface OlderSource {
  /** A revision of the project in its git repository: a tag, a branch or a commit. */
  readonly revision?: string | undefined;
  /** A program, if the newer version is one. */
  readonly exec?: string | undefined;
  /** The CRDs and other objects of the program; by default those of the newer version. */
  readonly apply?: readonly string[] | undefined;
  /** The custom resources of the program; by default those of the newer version. */
  readonly samples?: readonly string[] | undefined;
}

export interface OlderHost extends CheckedHost, Pick<CheckOutOptions, "signal" | "onInstall"> {
  /** The folder of the newer version. */
  readonly root: string;
}

export interface OlderOperator extends CheckedOperator {
  /** Removes the folder of the revision: test runners find tests in hidden folders, too. */
  close(): Promise<void>;
}

/** Opens the older version of an operator that is checked with `source`. */
export async function openOlderVersion(
  { root, signal, onInstall, ...host }: OlderHost,
  { revision, ...program }: OlderSource,
  { with: _neighbours, ...source }: OpenedSource,
): Promise<OlderOperator> {
  if (revision === undefined) {
    const { exec, apply = source.apply, samples = source.samples } = program;
    const opened = await openCheckedOperator(host, { ...source, exec, apply, samples });
    return { ...opened, close: async () => {} };
  }
  const cwd = await checkOutRevision({ root, revision, disk: host.disk, signal, onInstall });
  const close = (): Promise<void> => rm(cwd, { recursive: true, force: true });
  const [given, samples] = [source.apply, source.samples].map((paths) => paths?.map((path) => resolve(host.cwd, path)));
  try {
    return { ...(await openCheckedOperator({ ...host, cwd }, { ...source, apply: given, samples })), close };
  } catch (error) {
    await close();
    throw error;
  }
}
