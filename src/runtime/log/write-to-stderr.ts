/** The bytes of lines that may wait in memory. */
const mostWaiting = 16 * 1024 * 1024;

/**
 * Returns a function that writes lines to stderr. Node buffers what a pipe does not take, so that a log without a
 * reader would use all memory. Further lines are dropped, and `note` returns the line that counts them.
 */
export function writeToStderr(note: (dropped: number) => string): (line: string) => void {
  let dropped = 0;
  return (line) => {
    const { stderr } = process;
    // Resumes for several lines at once, rather than after each line that was read.
    if (stderr.writableLength > (dropped > 0 ? mostWaiting / 2 : mostWaiting)) dropped++;
    else {
      if (dropped > 0) stderr.write(note(dropped));
      dropped = 0;
      stderr.write(line);
    }
  };
}
