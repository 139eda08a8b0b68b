/** Returns the command after which kubectl uses a kubeconfig; on Windows, that of PowerShell. */
export function kubeconfigCommand(file: string): string {
  if (process.platform === "win32") return `$env:KUBECONFIG = '${file.replaceAll("'", "''")}'`;
  return `export KUBECONFIG=${quotePath(file)}`;
}

/** Quotes a path for a shell. */
export function quotePath(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
