import { join, posix } from "node:path";
import type { Disk } from "../files/disk.ts";
import type { TarEntry } from "../files/tar.ts";
import type { BundledPackages } from "./bundled-packages.ts";

const isLicense = (name: string): boolean => /^(licen[cs]es?|copying|notice)([.-].*)?$/i.test(name);

/** Collects the licenses of an operator and of the packages in its bundle, for `/licenses` in its image. */
export async function licenseFiles({ own, packages }: BundledPackages, disk: Disk): Promise<TarEntry[]> {
  const entries = [own, ...packages].map(async ({ id, folder }): Promise<TarEntry[]> => {
    const target = id === own.id ? "licenses" : posix.join("licenses", id);
    // A package that contains others lists their licenses next to its code.
    const paths = await disk.list(folder, { skip: (name) => !isLicense(name) && name !== "dist" });
    const files = paths.filter((path) => isLicense(posix.basename(path)) && path.split("/").length < 3);
    return Promise.all(
      files.map(async (path) => ({
        path: posix.join(target, posix.basename(path)),
        body: Buffer.from((await disk.read(join(folder, path))) ?? ""),
      })),
    );
  });
  return (await Promise.all(entries)).flat();
}
