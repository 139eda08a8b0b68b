/** Returns the name that Go has for a platform. */
export function goPlatform({ platform, arch }: Pick<NodeJS.Process, "platform" | "arch">): string {
  const systems: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
  const architectures: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386", ppc64: "ppc64le" };
  return `${systems[platform] ?? platform}/${architectures[arch] ?? arch}`;
}
