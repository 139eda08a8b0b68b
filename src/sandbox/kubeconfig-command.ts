/** Returns the command after which kubectl uses a kubeconfig; on Windows, in the syntax of PowerShell. */
export function kubeconfigCommand(file: string): string {
  if (process.platform === "win32") return `$env:KUBECONFIG = '${file.replaceAll("'", "''")}'`;
  return `export KUBECONFIG=${quoteWord(file)}`;
}

/** Quotes a word for a shell. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
