/** Something that packages are made of cannot be had; the text names it and what to do. */
export class PackageFailure extends Error {
  override readonly name = 'PackageFailure';
}
