/** Returns the reason of a failure of the disk, for a message. */
export function diskReason(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

const notWritable = "it may not be written to";
const reasons: Readonly<Record<string, string>> = {
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: notWritable,
  EEXIST: "there is a file in its place",
  ENOTDIR: "there is a file in its place",
  EISDIR: "there is a folder in its place",
  ENOENT: "no folder can be made there",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EFBIG: "the file may not become larger",
};
