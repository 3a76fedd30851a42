// How far `npm ci` is: npm itself prints nothing where it does not write to a terminal, and nothing of what it compiles.

/** Packages that every machine gets, as paths of the lock file. */
export function packagesOf(lock) {
  return Object.entries(lock.packages).flatMap(([path, { link, optional, devOptional }]) =>
    path.startsWith('node_modules/') && !link && !optional && !devOptional ? [path] : [],
  );
}

/** A line for a person. @param isThere whether a path of the lock file is unpacked */
export function installProgress(paths, isThere, seconds) {
  const there = paths.filter(isThere).length;
  return there < paths.length
    ? `  ${there} of ${paths.length} packages unpacked (${seconds} s)`
    : `  all ${paths.length} packages unpacked, compiling sqlite3 (${seconds} s)`;
}

/** Whether npm's list of what is installed has each package of a lock file, in its version. */
export function isComplete(lock, installed) {
  return packagesOf(lock).every(
    (path) => installed.packages?.[path]?.integrity === lock.packages[path].integrity,
  );
}
