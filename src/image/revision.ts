import type { Host } from "./bundle-operator.ts";

/** The commit of a project in a git repository. */
export interface Revision {
  /** The repository, as git+URL; `git+file:` without its path if it has no remote. */
  readonly uri: string;
  readonly commit: string;
  /** The project's folder in the repository; empty for its root. */
  readonly folder: string;
  /** True if files of the project are not committed. */
  readonly isChanged: boolean;
}

/** Reads the revision of a project; returns undefined if it is not in a git repository. */
export async function readRevision(
  host: Pick<Host, "run">,
  { root, signal }: { readonly root: string; readonly signal: AbortSignal },
): Promise<Revision | undefined> {
  const git = async (...args: string[]): Promise<string | undefined> => {
    const { exitCode, stdout } = await host.run("git", args, { cwd: root, signal });
    return exitCode === 0 ? stdout.trim() : undefined;
  };
  const commit = await git("rev-parse", "--verify", "HEAD");
  if (commit === undefined) return undefined;
  const [remote, folder, status] = [
    await git("remote", "get-url", "origin"),
    await git("rev-parse", "--show-prefix"),
    await git("status", "--porcelain", "--", "."),
  ];
  return {
    uri: uriOf(remote ?? ""),
    commit,
    folder: (folder ?? "").replace(/\/$/, ""),
    isChanged: status !== "",
  };
}

/** Leaves out what is not for others: credentials in a URL, and the path of a repository on this machine. */
function uriOf(remote: string): string {
  if (/^[a-z+]+:\/\//.test(remote) && !remote.startsWith("file:")) return `git+${remote.replace(/\/\/[^@/]*@/, "//")}`;
  const [, host, path] = /^(?:[^@/]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(remote) ?? [];
  return host && path ? `git+ssh://${host}/${path}` : "git+file:";
}
